import DaemonCore

/// A fault that is built into the daemon to see that a rule finds it.
package enum Planted: String, CaseIterable, Hashable, Sendable {
  case losesPresses

  /// Which rule it breaks.
  package var rule: String {
    switch self {
    case .losesPresses: PressRule.name
    }
  }
}

/// The daemon, or one with a planted fault.
struct Saboteur {
  private let planted: Planted?
  private var engine: Engine

  init(_ planted: Planted?, seed: UInt64) {
    self.planted = planted
    engine = Engine(identity: .init(version: "0", bootID: ""))
  }

  mutating func start(boot: String) {
    engine = Engine(identity: .init(version: "0", bootID: boot))
  }

  mutating func handle(_ event: Event, at now: BootTime, _ entropy: Entropy) -> [Action] {
    engine.handle(event, at: now, entropy: entropy)
  }

  var nextDeadline: BootTime? { engine.nextDeadline }
  var statusJSON: JSON { engine.status.json }
}
