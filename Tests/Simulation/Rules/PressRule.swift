import DaemonCore

/// Every qualifying press is heeded once, and nothing else ever is.
struct PressRule: Rule {
  static let name = "press"

  /// A gesture that the wearer made; `sure` when nothing can have kept the daemon from seeing it whole.
  private struct Gesture {
    var at: Int64
    var due: Int64
    var sure: Bool
  }

  private static let debounce = ms(30)
  private static let within = s(2)
  /// How long the daemon may take to say that it heeds a press.
  private static let patience = ms(250)

  /// How long a start may wait for the store before it heeds a press.
  private static let storePatience = ms(500)

  private var isRunning = false
  private var startedAt: Int64 = 0
  private var lineSince: Int64?
  private var doubtUntil: Int64 = 0
  private var counted: [Gesture] = []
  private var expected: [Gesture] = []

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .finger(let down, let up): finger(down, up, scene)
    case .doubt(let until): doubt(until: until)
    case .started:
      isRunning = true
      startedAt = scene.now
      doubt(until: scene.now + ms(100))
    case .ended:
      isRunning = false
      doubt(until: scene.now)
    case .lineOpened:
      lineSince = scene.now
      doubt(until: scene.now + ms(100))
    case .lineClosed:
      lineSince = nil
      doubt(until: scene.now)
    case .handled(_, let actions, _): return heeded(actions, scene)
    default: break
    }
    return overdue(scene)
  }

  private mutating func finger(_ down: Int64, _ up: Int64, _ scene: Scene) {
    let needed = max(Self.debounce, ms(scene.setup.hold))
    guard up - down >= needed - ms(5) else { return }
    var press = Gesture(at: down + ms(scene.setup.hold), due: 0, sure: true)
    press.due = max(press.at, down + Self.debounce) + Self.patience
    press.sure =
      isRunning && up - down >= needed + ms(5) && doubtUntil < down
      && (lineSince.map { down - $0 >= ms(100) } ?? false)
    counted.removeAll { press.at - $0.at > Self.within + ms(5) }
    if counted.contains(where: { press.at - $0.at > Self.within - ms(5) }) { press.sure = false }
    counted.append(press)
    let isSure = counted.allSatisfy(\.sure)
    guard !isSure || counted.count >= scene.setup.presses else { return }
    press.sure = isSure
    expected.append(press)
    if isSure { counted = [] }
  }

  /// What was under way may have been seen or not.
  private mutating func doubt(until: Int64) {
    doubtUntil = max(doubtUntil, until)
    for index in counted.indices { counted[index].sure = false }
    for index in expected.indices { expected[index].sure = false }
  }

  private mutating func heeded(_ actions: [Action], _ scene: Scene) -> String? {
    for case .markPressed in actions {
      let possible = expected.indices.filter { expected[$0].at <= scene.now + ms(1) }
      guard let index = possible.first(where: { expected[$0].sure }) ?? possible.last else {
        return "a press was heeded that nobody made"
      }
      let gesture = expected.remove(at: index)
      counted.removeAll { $0.at <= gesture.at }
    }
    return nil
  }

  private mutating func overdue(_ scene: Scene) -> String? {
    guard !expected.isEmpty else { return nil }
    expected.removeAll { !$0.sure && scene.now - $0.at > s(70) }
    let free = max(scene.stalledUntil, startedAt + Self.storePatience) + Self.patience
    guard let lost = expected.first(where: { $0.sure && scene.now > max($0.due, free) }) else { return nil }
    return "the press of \(lost.at.clock) was lost"
  }
}
