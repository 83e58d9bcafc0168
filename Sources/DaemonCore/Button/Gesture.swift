/// Recognises the configured gesture in settled presses: `presses` of them within `within`, each held for `hold`.
package struct Gesture: Hashable, Sendable {
  package let hold: Duration
  package let presses: Int
  package let within: Duration

  /// What the finger does at the moment.
  private enum Finger: Hashable, Sendable {
    case up
    /// Down since then and not counted yet. Lasted `hold` → counted; released before → up.
    case down(since: BootTime)
    /// Down, and has counted. Release → up.
    case counted
  }
  private var finger = Finger.up
  /// The presses that may still become part of the gesture, oldest first.
  private var counted: [BootTime] = []

  package init(hold: Duration, presses: Int, within: Duration) {
    self.hold = hold
    self.presses = max(1, presses)
    self.within = within
  }

  package init(_ settings: ButtonSettings) {
    self.init(hold: settings.hold, presses: settings.presses, within: settings.within)
  }

  package var nextDeadline: BootTime? { uncounted.map { $0 + hold } }

  /// Since when the button is down without having counted; nil while it is up, or has.
  package var uncounted: BootTime? {
    guard case .down(let since) = finger else { return nil }
    return since
  }

  /// A press settled. Returns when the gesture was complete, if this completed it.
  package mutating func pressed(at instant: BootTime) -> BootTime? {
    finger = .down(since: instant)
    return advance(to: instant)
  }

  package mutating func released(at instant: BootTime) -> BootTime? {
    let complete = advance(to: instant)
    finger = .up
    return complete
  }

  /// Counts a press that has been held long enough by `now`.
  package mutating func advance(to now: BootTime) -> BootTime? {
    guard case .down(let since) = finger, now >= since + hold else { return nil }
    finger = .counted
    let instant = since + hold
    counted.removeAll { instant - $0 > within }
    counted.append(instant)
    guard counted.count >= presses else { return nil }
    counted = []
    return instant
  }
}
