/// Turns the edges of a bouncing contact into settled levels, by the edges' own timestamps.
///
/// A level counts once it has lasted `settle`. Because every edge first settles what was due before it, a
/// press and its release that are read together after a late wake-up are still two events.
package struct Debouncer: Hashable, Sendable {
  /// What the contact is believed to do.
  package enum State: Hashable, Sendable {
    /// At rest. An edge to the other level → changing.
    case settled(pressed: Bool)
    /// Left `settled(!to)` at `since` and has not been back. Lasted long enough → settled(to); back → settled(!to).
    case changing(to: Bool, since: BootTime)
  }

  /// A level that lasted; `at` is when it began.
  package struct Transition: Hashable, Sendable {
    package var pressed: Bool
    package var at: BootTime
  }

  /// A release must last at least this long, whatever the owner set for presses: contacts bounce longer when
  /// they open, and a bounce that counts as a release would double the press.
  package static let shortestRelease = Duration.milliseconds(20)

  package private(set) var state: State
  /// How long a press must last.
  package var settle: Duration

  package init(settle: Duration, pressed: Bool = false) {
    self.settle = settle
    state = .settled(pressed: pressed)
  }

  /// The level that holds until something else has lasted.
  package var isPressed: Bool {
    switch state {
    case .settled(let pressed): pressed
    case .changing(let target, _): !target
    }
  }

  /// Since when a release has been seen that has not settled yet; nil while there is none.
  package var leftPressed: BootTime? {
    guard case .changing(false, let since) = state else { return nil }
    return since
  }

  package var nextDeadline: BootTime? {
    guard case .changing(let target, let since) = state else { return nil }
    return since + lasting(target)
  }

  /// The line changed. Returns the level that had settled before that, if one had.
  package mutating func edgeSeen(_ edge: Edge) -> Transition? {
    if edge.isAfterLoss {
      resume(pressed: edge.pressed, at: edge.at)
      return nil
    }
    let settled = advance(to: edge.at)
    switch state {
    case .settled(let pressed):
      if edge.pressed != pressed { state = .changing(to: edge.pressed, since: edge.at) }
    case .changing(let target, let since):
      // The same edge twice in a row: the one between was lost, so the contact was still bouncing.
      state =
        edge.pressed == target
        ? .changing(to: target, since: max(since, edge.at)) : .settled(pressed: edge.pressed)
    }
    return settled
  }

  /// The level was read at `now`, after all edges up to then: it corrects what lost edges left wrong.
  package mutating func levelRead(pressed: Bool, at now: BootTime) -> Transition? {
    let settled = advance(to: now)
    switch state {
    case .settled(let believed):
      if pressed != believed { state = .changing(to: pressed, since: now) }
    case .changing(let target, _):
      if pressed != target { state = .settled(pressed: pressed) }
    }
    return settled
  }

  /// What the line did until now went unseen: a level that had not settled has to last anew.
  package mutating func resume(pressed: Bool, at now: BootTime) {
    if pressed == isPressed {
      state = .settled(pressed: pressed)
    } else {
      state = .changing(to: pressed, since: now)
    }
  }

  /// Settles what has lasted long enough by `now`.
  package mutating func advance(to now: BootTime) -> Transition? {
    guard case .changing(let target, let since) = state, now >= since + lasting(target) else { return nil }
    state = .settled(pressed: target)
    return Transition(pressed: target, at: since)
  }

  private func lasting(_ pressed: Bool) -> Duration {
    pressed ? settle : max(settle, Self.shortestRelease)
  }
}
