/// What the one line of `systemctl status` tells. Source: CONTRACT, systemd.
package struct Headline: Hashable, Sendable {
  var problems: [Problem]
  var isAlerting: Bool
  var isTesting: Bool
  var gps: Status.Gps.State
  /// Deliveries that have not ended.
  var pending: Int

  package var state: Status.State {
    if !problems.isEmpty { return .degraded }
    if isTesting { return .testing }
    return isAlerting ? .alerting : .armed
  }

  /// At most 120 characters, the worst news first, never a position.
  package var line: String {
    let whole = wholeLine
    if whole.utf8.count <= 120, whole.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return whole }
    // A line break would end the message to the service manager.
    let line = whole.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: line.count <= 120 ? line : line.prefix(119) + ["…"])
    return String(text)
  }

  private var wholeLine: String {
    var line: Words = "\(state.rawValue)"
    var separator = ": "
    func add(_ part: Words) {
      line.append(separator)
      line.append(part)
      separator = "; "
    }
    if isAlerting { add("ALERT open") }
    for problem in problems { add("\(problem.headline)") }
    if pending > 0 { add("\(pending) pending") }
    if problems.isEmpty { add("\(gps.word)") }
    return String(line)
  }
}

extension Status.Gps.State {
  /// Never where.
  fileprivate var word: String {
    switch self {
    case .fix: "position known"
    case .stale: "last known position"
    case .noFix: "no position yet"
    case .disconnected: "no gpsd"
    }
  }
}
