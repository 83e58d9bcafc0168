// Covers: DaemonCore/Button/ButtonMonitor.swift
// Covers: DaemonCore/Button/Debouncer.swift
// Covers: DaemonCore/Button/Gesture.swift
// Covers: DaemonCore/Button/NoiseMeter.swift
@testable import DaemonCore

/// Edges, each with its distance from the one before, read one by one, late, or after a loss. The settled levels are
/// those that a reader of the whole train would find, and a gesture takes as many presses as it asks for.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  var settings = ButtonSettings(line: .offset(17))
  settings.debounce = .milliseconds(input.pick([1, 5, 30, 200, 1000]))
  settings.hold = .milliseconds(input.pick([0, 0, 50, 1000]))
  settings.presses = input.pick([1, 1, 2, 3, 10])
  settings.within = .milliseconds(input.pick([100, 2000, 60_000]))
  let train = Train(&input)
  checkDebouncer(train, settings)
  checkGesture(train, settings)
  checkMonitor(train, settings, &input)
}

private struct Train {
  var edges: [Edge] = []
  /// Whether edge and reading come with the time that they should have.
  var isOrdered = true
  var end: BootTime

  init(_ input: inout Input) {
    var now = BootTime(nanoseconds: 3_600_000_000_000)
    let count = input.byte()
    let goesBack = input.byte() == 0xFF
    for _ in 0..<count where !input.isEmpty {
      let kind = input.byte()
      let span = input.span()
      if goesBack, kind & 0x40 != 0 {
        now = now - span
        isOrdered = isOrdered && span == .zero
      } else {
        now = now + span
      }
      edges.append(Edge(pressed: kind & 1 == 1, at: now, afterLoss: kind & 0x1E == 0x1E))
    }
    end = now + input.span()
  }

  var isWhole: Bool { isOrdered && !edges.contains(where: \.isAfterLoss) }
}

/// What a reader of the whole train calls settled: every stretch of one level that lasts, where it differs from before.
private func settledLevels(_ train: Train, _ settle: Duration) -> [Debouncer.Transition] {
  var level = false
  var found: [Debouncer.Transition] = []
  for (index, edge) in train.edges.enumerated() where edge.pressed != level {
    let until = index + 1 < train.edges.count ? train.edges[index + 1].at : train.end
    let lasting = edge.pressed ? settle : max(settle, Debouncer.shortestRelease)
    guard until - edge.at >= lasting else { continue }
    level = edge.pressed
    found.append(Debouncer.Transition(pressed: level, at: edge.at))
  }
  return found
}

private func checkDebouncer(_ train: Train, _ settings: ButtonSettings) {
  var debouncer = Debouncer(settle: settings.debounce)
  var found: [Debouncer.Transition] = []
  for edge in train.edges {
    if let settled = debouncer.edgeSeen(edge) { found.append(settled) }
    if let due = debouncer.nextDeadline, let since = debouncer.leftPressed {
      require(due - since >= settings.debounce, "a release that settles at once")
    }
  }
  if let settled = debouncer.advance(to: train.end) { found.append(settled) }
  for (earlier, later) in zip(found, found.dropFirst()) {
    require(earlier.pressed != later.pressed, "the same level settled twice")
    require(!train.isOrdered || earlier.at < later.at, "settled in the past")
  }
  if train.isWhole {
    require(found == settledLevels(train, settings.debounce), "another reading of \(train)")
  }
}

/// By the settled levels alone.
private func checkGesture(_ train: Train, _ settings: ButtonSettings) {
  guard train.isWhole else { return }
  var gesture = Gesture(settings)
  var (made, held): ([BootTime], [BootTime]) = ([], [])
  let levels = settledLevels(train, settings.debounce)
  for (index, level) in levels.enumerated() {
    let until = index + 1 < levels.count ? levels[index + 1].at : train.end
    if level.pressed, until - level.at >= settings.hold { held.append(level.at + settings.hold) }
    let complete = level.pressed ? gesture.pressed(at: level.at) : gesture.released(at: level.at)
    if let complete { made.append(complete) }
  }
  if let complete = gesture.advance(to: train.end) { made.append(complete) }
  var (expected, counted): ([BootTime], [BootTime]) = ([], [])
  for instant in held {
    counted = counted.filter { instant - $0 <= settings.within } + [instant]
    if counted.count >= settings.presses {
      expected.append(instant)
      counted = []
    }
  }
  require(made == expected, "gestures at \(made) instead of \(expected)")
  require(made.allSatisfy { $0 <= train.end }, "a gesture in the future")
}

private func checkMonitor(_ train: Train, _ settings: ButtonSettings, _ input: inout Input) {
  var monitor = ButtonMonitor(settings: settings)
  var watch = Watch(isOrdered: train.isOrdered)
  let start = (train.edges.first?.at ?? train.end) - .seconds(1)
  let link = ButtonLink(
    description: "line", pressed: input.pick([false, false, true, nil]), adopted: input.byte() & 7 == 7,
    lastSeenReleased: input.pick([nil, start - .seconds(1), start + .seconds(1)]))
  watch.hear(monitor.opened(link, at: start), at: start)
  var (now, unread): (BootTime, [Edge]) = (start, [])
  var isPlain = train.isWhole && link.pressed == false && !link.adopted
  for (index, edge) in train.edges.enumerated() {
    let choice = input.byte()
    // As in the loop: what has come is read before anything settles.
    if choice & 8 != 0, unread.isEmpty { watch.serve(&monitor, until: edge.at) }
    now = max(now, edge.at)
    unread.append(edge)
    if unread.count == 1, choice & 16 != 0 { now = now + input.span() }
    let isMoreThere = index + 1 < train.edges.count && train.edges[index + 1].at <= now
    if isMoreThere || choice & 7 == 1 { continue }
    let isLost = choice & 0xE0 == 0xE0
    let level: Bool? = isLost ? choice & 1 == 0 : choice & 2 == 0 ? edge.pressed : nil
    isPlain = isPlain && !isLost
    watch.hear(monitor.edgesSeen(unread, level: level, lost: isLost, at: now), at: now)
    unread = []
    if choice & 0xFC == 0x7C { return fail(&monitor, &input, at: now) }
  }
  now = max(now, train.end)
  if !unread.isEmpty { watch.hear(monitor.edgesSeen(unread, level: nil, lost: false, at: now), at: now) }
  watch.serve(&monitor, until: now)
  watch.hear(monitor.advance(to: now), at: now)
  require(
    watch.gestures * settings.presses <= watch.presses,
    "\(watch.gestures) gestures of \(watch.presses) presses")
  // What was read late lasted until then.
  var seen = train
  seen.end = now
  let levels = settledLevels(seen, settings.debounce).map(\.pressed)
  guard isPlain, !watch.wasNoisy else {
    return require(!isPlain || !levels.isEmpty || watch.presses == 0, "a press where no level lasts")
  }
  require(watch.levels == levels, "levels \(watch.levels) instead of \(levels)")
}

private func fail(_ monitor: inout ButtonMonitor, _ input: inout Input, at now: BootTime) {
  var now = now
  for _ in 0...input.byte() & 15 {
    monitor.failed(.failed(line: "line", reason: "gone"), at: now)
    guard let retry = monitor.nextDeadline(at: now) else {
      fatalError("a line that is missed and not asked for")
    }
    require(retry > now && retry - now <= .seconds(10), "asked for again at \(retry), now \(now)")
    require(monitor.advance(to: retry).isEmpty, "a line that is missing and does something")
    monitor.reopening(at: retry)
    now = retry
  }
  if input.bool() {
    _ = monitor.opened(ButtonLink(description: "line", pressed: false, adopted: false), at: now)
    require(!monitor.isStuck && monitor.pressedSince == nil, "what an earlier line did is still believed")
  }
}

/// What the findings of a monitor must keep to, whatever the line does.
private struct Watch {
  var (presses, gestures) = (0, 0)
  var levels: [Bool] = []
  var wasNoisy = false
  private var isNoisy = false
  private let isOrdered: Bool

  init(isOrdered: Bool) {
    self.isOrdered = isOrdered
  }

  mutating func hear(_ findings: [ButtonMonitor.Finding], at now: BootTime) {
    for finding in findings {
      switch finding {
      case .gesture(let instant):
        gestures += 1
        require(instant <= now, "a gesture of the future")
      case .settled(let pressed, let instant, let bounce, let edges):
        if pressed { presses += 1 }
        levels.append(pressed)
        require(instant <= now, "settled in the future")
        require(bounce >= .zero && edges >= 1 || !isOrdered, "an odd bounce: \(bounce), \(edges) edges")
      case .noise(let noisy):
        require(noisy != isNoisy, "the same noise told twice")
        isNoisy = noisy
        wasNoisy = true
      case .stuck(let since): require(now - since >= ButtonMonitor.stuckAfter, "stuck too soon")
      case .unstuck(let span): require(span >= .zero || !isOrdered, "stuck for \(span)")
      }
    }
  }

  /// Every deadline when it is due.
  mutating func serve(_ monitor: inout ButtonMonitor, until end: BootTime) {
    var last: BootTime?
    while let due = monitor.nextDeadline(at: last ?? end), due < end {
      if let last { require(due > last, "a deadline that is over is still wanted") }
      last = due
      hear(monitor.advance(to: due), at: due)
    }
  }
}
