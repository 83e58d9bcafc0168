/// The button as a whole: link, debouncing, gesture, and what is wrong with it.
package struct ButtonMonitor: Sendable {
  /// Whether the line is being watched.
  package enum Link: Hashable, Sendable {
    /// Asked for, no answer yet. Opened → watched; failed → missing.
    case opening
    /// Edges arrive. Vanished → missing.
    case watched(ButtonLink)
    /// Not ours; asked for again at `retry`, or at once when the devices change.
    case missing(ButtonFailure, attempt: Int, retry: BootTime)
  }

  /// What a report of the line led to.
  package enum Finding: Hashable, Sendable {
    /// The gesture is complete: someone asks for help.
    case gesture(at: BootTime)
    /// A level settled; `bounce` is how long the contact chattered, `edges` how often.
    case settled(pressed: Bool, at: BootTime, bounce: Duration, edges: Int)
    /// The line began or stopped flooding.
    case noise(Bool)
    /// Held down for longer than anyone presses.
    case stuck(since: BootTime)
    /// Released after it had been called stuck.
    case unstuck(after: Duration)
  }

  /// A press that lasts longer is called stuck in the status; it has long counted by then.
  package static let stuckAfter = Duration.seconds(30)
  /// How recently this boot's previous run must have seen the button released for a held one to be a press.
  package static let releasedRecently = Duration.seconds(60)
  /// While the line floods, presses must last this long at least.
  package static let noisySettle = Duration.milliseconds(50)
  /// While the line floods it is read this often.
  package static let rest = Duration.milliseconds(20)

  package let settings: ButtonSettings
  package private(set) var link = Link.opening
  package private(set) var pressedSince: BootTime?
  package private(set) var isStuck = false
  package private(set) var isNoisy = false
  private var debouncer: Debouncer
  private var gesture: Gesture
  private var noise = NoiseMeter()
  private var burst: Burst?
  /// Until when a flooding line is left unread. Kept, so that other events do not put it off for ever.
  private var restsUntil: BootTime?
  /// Whether an adopted line has yet to tell, by its first edge, what it did before.
  private var isUndecided = false

  /// What the line did while its queue was full, for longer than a press has to last. A line that is calm after
  /// that was pressed; one that goes on was not.
  private var unseen: Unseen?

  private struct Unseen: Hashable, Sendable {
    var from: BootTime
    var to: BootTime
  }

  private struct Burst: Hashable, Sendable {
    var first: BootTime
    var last: BootTime
    var edges = 1
  }

  package init(settings: ButtonSettings) {
    self.settings = settings
    debouncer = Debouncer(settle: settings.debounce)
    gesture = Gesture(settings)
  }

  package var isPressed: Bool { debouncer.isPressed }

  /// What the line did of a press that has not counted yet, oldest first: with it a later run can go on, where the
  /// line's queue outlives this one.
  package var unfinished: [Edge] {
    let press = gesture.uncounted.map { [Edge(pressed: true, at: $0)] } ?? []
    guard case .changing(let target, let since) = debouncer.state, target || !press.isEmpty else {
      return press
    }
    return press + [Edge(pressed: target, at: since)]
  }

  /// Since when it is held without a release in sight; nil while one has been seen that has not settled yet.
  package var heldSince: BootTime? { debouncer.leftPressed == nil ? pressedSince : nil }

  package var isWatched: Bool {
    if case .watched = link { return true }
    return false
  }

  package func nextDeadline(at now: BootTime) -> BootTime? {
    if case .missing(_, _, let retry) = link { return retry }
    let holdAt = debouncer.leftPressed == nil ? gesture.nextDeadline : nil
    let stuckAt = isStuck ? nil : pressedSince.map { $0 + Self.stuckAfter }
    let calmAt = unseen.map { $0.to + Self.noisySettle }
    var next = earliest(debouncer.nextDeadline, holdAt)
    next = earliest(next, stuckAt)
    next = earliest(next, calmAt)
    next = earliest(next, noise.quietAt(after: now))
    return earliest(next, restsUntil)
  }

  /// The line is ours. A level that is held already is no press, unless the previous run of this boot saw it
  /// released a moment ago and had not handled a press since.
  package mutating func opened(_ opened: ButtonLink, at now: BootTime) -> [Finding] {
    link = .watched(opened)
    noise = NoiseMeter()
    gesture = Gesture(settings)
    burst = nil
    unseen = nil
    restsUntil = nil
    pressedSince = nil
    isStuck = false
    isNoisy = false
    let held = opened.pressed == true
    let fresh = opened.lastSeenReleased.map { now - $0 < Self.releasedRecently && now >= $0 } ?? false
    debouncer = Debouncer(settle: settings.debounce, pressed: held && !fresh)
    // The queue of an adopted line may begin with the press itself: only its first edge tells what was before.
    isUndecided = opened.adopted
    if held && fresh { _ = debouncer.levelRead(pressed: true, at: now) }
    if held && !fresh { pressedSince = now }
    return []
  }

  package mutating func failed(_ failure: ButtonFailure, at now: BootTime) {
    var attempt = 1
    if case .missing(_, let earlier, _) = link { attempt = min(earlier + 1, 16) }
    // A descriptor that systemd still holds is free within milliseconds, so the first tries come fast.
    let wait = Duration.milliseconds(min(10_000, 10 << min(attempt, 10)))
    link = .missing(failure, attempt: attempt, retry: now + wait)
    pressedSince = nil
    isStuck = false
    isNoisy = false
  }

  /// The devices changed, or the retry is due: the line is asked for again.
  package mutating func reopening(at now: BootTime) {
    guard case .missing(let failure, let attempt, _) = link else { return }
    link = .missing(failure, attempt: attempt, retry: now + .seconds(30))
  }

  /// What the line did since the last report, oldest first; `lost` when it may have done more before the level
  /// was read.
  package mutating func edgesSeen(_ edges: [Edge], level: Bool?, lost: Bool, at now: BootTime) -> [Finding] {
    guard isWatched else { return [] }
    unseen = nil
    var findings: [Finding] = []
    if isUndecided, let first = edges.first {
      debouncer = Debouncer(settle: settings.debounce, pressed: !first.pressed)
      pressedSince = first.pressed ? nil : pressedSince
      isUndecided = false
    }
    noise.edgesSeen(edges.count + (lost ? NoiseMeter.overflow : 0), at: now)
    findings += noiseChanged(at: now)
    for edge in edges {
      if !edge.isAfterLoss { findings += advanceGesture(to: edge.at) }
      findings += settled(debouncer.edgeSeen(edge))
      extendBurst(with: edge.at)
    }
    if let level, lost {
      debouncer.resume(pressed: level, at: now)
      if !level, let last = edges.last, now - last.at >= settings.debounce, !isNoisy,
        !findings.contains(where: \.isPress)
      {
        unseen = Unseen(from: last.at, to: now)
      }
    } else if let level {
      findings += settled(debouncer.levelRead(pressed: level, at: now))
    }
    findings += advance(to: now)
    restsUntil = isNoisy ? now + Self.rest : nil
    return findings
  }

  /// Time passed.
  package mutating func advance(to now: BootTime) -> [Finding] {
    guard isWatched else { return [] }
    if let until = restsUntil, now >= until { restsUntil = nil }
    var findings = noiseChanged(at: now)
    findings += settled(debouncer.advance(to: now))
    if let press = unseen, now >= press.to + Self.noisySettle {
      unseen = nil
      findings += settled(Debouncer.Transition(pressed: true, at: press.from))
      findings += settled(Debouncer.Transition(pressed: false, at: press.to))
    }
    findings += advanceGesture(to: now)
    if !isStuck, let since = pressedSince, now - since >= Self.stuckAfter {
      isStuck = true
      findings.append(.stuck(since: since))
    }
    return findings
  }

  private mutating func advanceGesture(to instant: BootTime) -> [Finding] {
    var findings = settled(debouncer.advance(to: instant))
    // A hold may not be completed by the time that a release takes to settle.
    let held = debouncer.leftPressed.map { min($0, instant) } ?? instant
    if let complete = gesture.advance(to: held) { findings.append(.gesture(at: complete)) }
    return findings
  }

  private mutating func settled(_ transition: Debouncer.Transition?) -> [Finding] {
    guard let transition else { return [] }
    let chatter = burst ?? Burst(first: transition.at, last: transition.at)
    burst = nil
    var findings: [Finding] = [
      .settled(
        pressed: transition.pressed, at: transition.at, bounce: chatter.last - chatter.first,
        edges: chatter.edges)
    ]
    if transition.pressed {
      pressedSince = transition.at
      if let complete = gesture.pressed(at: transition.at) { findings.append(.gesture(at: complete)) }
    } else {
      if isStuck, let since = pressedSince { findings.append(.unstuck(after: transition.at - since)) }
      pressedSince = nil
      isStuck = false
      if let complete = gesture.released(at: transition.at) { findings.append(.gesture(at: complete)) }
    }
    return findings
  }

  private mutating func extendBurst(with instant: BootTime) {
    if var chatter = burst, instant - chatter.last < .milliseconds(100) {
      chatter.last = instant
      chatter.edges += 1
      burst = chatter
    } else {
      burst = Burst(first: instant, last: instant)
    }
  }

  private mutating func noiseChanged(at now: BootTime) -> [Finding] {
    let noisy = noise.isNoisy(at: now)
    guard noisy != isNoisy else { return [] }
    isNoisy = noisy
    debouncer.settle = noisy ? max(settings.debounce, Self.noisySettle) : settings.debounce
    return [.noise(noisy)]
  }
}

extension ButtonMonitor.Finding {
  fileprivate var isPress: Bool {
    if case .settled(pressed: true, _, _, _) = self { return true }
    return false
  }
}

/// The earlier of those two instants that exist.
package func earliest(_ first: BootTime?, _ second: BootTime?) -> BootTime? {
  guard let first, let second else { return first ?? second }
  return min(first, second)
}
