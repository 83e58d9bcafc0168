/// `soteriad test-button`: presses are shown and raise no alert, unless someone clearly means it.
struct ButtonTest: Hashable, Sendable {
  /// A press held this long is meant.
  static let hold = Duration.seconds(3)
  /// So is this number of presses …
  static let presses = 3
  /// … within this time.
  static let within = Duration.seconds(5)

  let client: ClientID
  let started: BootTime
  let until: BootTime
  private(set) var recent: [BootTime] = []
  private(set) var longestBounce = Duration.zero
  private(set) var count = 0

  init(client: ClientID, started: BootTime, until: BootTime) {
    self.client = client
    self.started = started
    self.until = until
  }

  /// A press settled. Returns whether someone means it.
  mutating func pressed(at instant: BootTime) -> Bool {
    count += 1
    recent.removeAll { instant - $0 > Self.within }
    recent.append(instant)
    return recent.count >= Self.presses
  }

  /// A press was released. Returns whether it was held for so long that someone means it.
  func released(at instant: BootTime) -> Bool {
    recent.last.map { instant - $0 >= Self.hold } ?? false
  }

  /// Whether a press of this test is being held: the test does not end in the middle of a call for help.
  func isHeld(since: BootTime?) -> Bool {
    since != nil && recent.last == since
  }

  mutating func bounced(_ span: Duration) {
    longestBounce = max(longestBounce, span)
  }

  func nextDeadline(heldSince: BootTime?) -> BootTime? {
    if isHeld(since: heldSince) { return heldSince.map { $0 + Self.hold } }
    return until
  }

  /// Twice the longest bounce seen, in steps of 5 ms, between 10 and 200 ms.
  var suggestedDebounce: Duration {
    let twice = min(longestBounce, .milliseconds(100)).wholeNanoseconds * 2
    return .milliseconds(min(max((twice + 4_999_999) / 5_000_000 * 5, 10), 200))
  }
}

/// `soteriad press`: who asked, and what there is still to say.
struct PressWait: Hashable, Sendable {
  let client: ClientID
  let alertID: String
  /// With `--wait`: until when the caller stays to hear that everyone has it.
  let until: BootTime?
  /// The alert's id is told as soon as it is on disk, or the disk has had its time.
  var isTold = false
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
