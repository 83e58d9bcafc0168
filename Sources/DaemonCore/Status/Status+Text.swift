/// The status for people.
extension Status {
  package var text: String {
    var lines = ["soteriad \(version): \(state.rawValue)\(summary)"]
    for problem in problems {
      lines.append("  problem: \(problem.cause)")
      lines.append("   remedy: \(problem.remedy)")
    }
    lines.append("   button: \(buttonText)")
    lines.append("      gps: \(gps.text)")
    if let geocoder {
      let hasNone = problems.contains { if case .noAddresses = $0 { true } else { false } }
      lines.append("addresses: \(hasNone ? "none, see above" : geocoder.text)")
    }
    for alert in alerts { lines += alertLines(alert) }
    lines.append("   outbox: \(outboxText)")
    lines.append(" contacts: \(contacts.joined(separator: ", "))")
    lines.append(
      "   config: \(source == .file ? "what the file says" : "the last good one, not what the file says")")
    for warning in warnings { lines.append("  warning: \(warning)") }
    if !clock.trusted { lines.append("    clock: not synchronised; messages mark their time as unsure") }
    return lines.joined(separator: "\n")
  }

  private var summary: String {
    switch state {
    case .armed:
      ", a press of the button alerts \(contacts.count == 1 ? "1 contact" : "\(contacts.count) contacts")"
    case .testing: ", presses are shown and raise no alert"
    case .alerting: ", an alert is open"
    case .degraded:
      (isAlerting ? ", an alert is open" : "") + (isTesting ? ", presses raise no alert" : "")
        + (problems.count == 1 ? ", 1 problem" : ", \(problems.count) problems")
    }
  }

  private var buttonText: String {
    let place = button.line.map { " on \($0)" } ?? ""
    switch button.state {
    case .ready:
      return "ready\(place)" + (button.isSeen ? "" : "; not pressed yet: try 'soteriad test-button'")
    case .pressed: return "pressed\(place)"
    case .stuck: return "stuck\(place)"
    case .noisy: return "noisy\(place)"
    case .unavailable: return "does not work, see above"
    case .none: return "none is configured"
    }
  }

  private var outboxText: String {
    let pending = outbox.pending == 0 ? "nothing pending" : "\(outbox.pending) pending"
    return pending + (outbox.isDurable ? "; kept on disk" : "; NOT kept on disk")
  }

  private func alertLines(_ alert: OpenAlert) -> [String] {
    var lines = [
      "    \(alert.kind == .drill ? "drill" : "alert"): \(alert.id) \(alert.state.rawValue), pressed \(alert.age.roughly) ago"
    ]
    for delivery in alert.deliveries {
      let by = delivery.route.map { " by \($0)" } ?? ""
      let tries = delivery.attempts == 1 ? "1 try" : "\(delivery.attempts) tries"
      let trouble = delivery.state.isTaken ? "" : delivery.lastError.map { "; \($0)" } ?? ""
      lines.append(
        "           \(delivery.contact.name): \(delivery.kind.rawValue) \(delivery.state.rawValue)\(by), \(tries)\(trouble)"
      )
    }
    return lines
  }
}

extension Status.Geocoder {
  var text: String {
    let list = placesTrouble.map { "no list of places: \($0)" } ?? "the list of places"
    guard let service else { return list }
    return "\(service.rawValue)\(trouble.map { ", which last failed: \($0)" } ?? ""), then \(list)"
  }
}

extension Status.Gps {
  var text: String {
    let skipped = rubbish > 0 ? "; \(rubbish) unreadable lines skipped" : ""
    guard case .known(let fix, let age, _) = position else {
      let why = position == .implausible ? "the receiver reports an implausible place" : "no position yet"
      return (state == .disconnected ? "not connected, " : "") + why + skipped
    }
    let accuracy = fix.accuracy.map { ", within \(Int($0.rounded(.up))) m" } ?? ", accuracy unknown"
    let old = age.map { ", \($0.roughly) old" } ?? ", age unknown"
    let kind: String
    switch state {
    case .fix: kind = "position"
    case .stale: kind = "last known position"
    case .noFix: kind = "no position"
    case .disconnected: kind = "not connected, last known position"
    }
    return "\(kind) \(fix.coordinates)\(accuracy)\(old)\(skipped)"
  }
}

extension Duration {
  /// For people, in the largest unit that is not zero: `12 s`, `3 min`, `5 h`, `2 d`.
  package var roughly: String {
    let seconds = max(0, wholeSeconds)
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return seconds < 172_800 ? "\(seconds / 3600) h" : "\(seconds / 86_400) d"
  }
}
