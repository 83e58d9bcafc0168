/// `soteriad test-button`: presses are shown and raise no alert, unless someone clearly means it.
struct ButtonTest: Hashable, Sendable {
  /// A press held this long is meant.
  static let hold = Duration.seconds(3)
  /// So is this number of presses …
  static let presses = 3
  /// … within this time.
  static let within = Duration.seconds(5)

  let client: ClientID
  let until: BootTime
  private(set) var recent: [BootTime] = []
  private(set) var longestBounce = Duration.zero
  private(set) var count = 0

  init(client: ClientID, until: BootTime) {
    self.client = client
    self.until = until
  }

  /// A press settled. Returns whether someone means it.
  mutating func pressed(at instant: BootTime) -> Bool {
    count += 1
    recent.removeAll { instant - $0 > Self.within }
    recent.append(instant)
    return recent.count >= Self.presses
  }

  mutating func bounced(_ span: Duration) {
    longestBounce = max(longestBounce, span)
  }

  func nextDeadline(pressedSince: BootTime?) -> BootTime? {
    earliest(until, recent.isEmpty ? nil : pressedSince.map { $0 + Self.hold })
  }

  /// Twice the longest bounce seen, in steps of 5 ms, between 10 and 200 ms.
  var suggestedDebounce: Duration {
    let milliseconds = longestBounce.wholeNanoseconds / 1_000_000 * 2 + 1
    return .milliseconds(min(max((milliseconds + 4) / 5 * 5, 10), 200))
  }
}

/// `soteriad press --wait`: who asked, about what, until when.
struct PressWait: Hashable, Sendable {
  var alertID: String
  var until: BootTime
}

/// Which button, by its configuration, was last seen to be pressed; it outlives restarts.
struct ButtonHistory: Hashable, Sendable {
  /// nil before any button was ever seen.
  var seen: String?
}

extension ButtonSettings {
  /// What decides whether the right line is being watched. Gesture and debounce do not belong to it.
  var fingerprint: String {
    let name: String
    switch line {
    case .name(let text): name = "name:\(text)"
    case .offset(let number): name = "offset:\(number)"
    }
    return "\(chip ?? "")|\(name)|\(activeLow ? "low" : "high")|\(bias.rawValue)"
  }
}
