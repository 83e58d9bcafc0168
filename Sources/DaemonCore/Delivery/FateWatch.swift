/// Asks a service for the later fate of a message that it took, ever more seldom: for two minutes whether it was
/// delivered, and as long as the alert is open whether someone acknowledged it.
package struct FateWatch: Sendable {
  package static let span = Duration.seconds(120)
  package static let shortest = Duration.seconds(2)
  package static let longest = Duration.seconds(15)
  /// Pushover wants at least 5 s between two questions, ntfy lets 1 through every 5 s, for all together.
  package static let shortestForPeople = Duration.seconds(10)
  package static let longestForPeople = Duration.seconds(30)

  package let number: Int

  package let key: Delivery.Key
  package let route: Route
  package let settings: GatewaySettings
  package let receipt: String
  /// nil: the alert decides.
  private let until: BootTime?
  private let longest: Duration
  private var interval: Duration
  /// When to ask; nil while an answer is awaited.
  package private(set) var due: BootTime?
  package private(set) var isOver = false

  package init(
    number: Int, key: Delivery.Key, route: Route, settings: GatewaySettings, receipt: String, at now: BootTime
  ) {
    self.number = number
    self.key = key
    self.route = route
    self.settings = settings
    self.receipt = receipt
    switch settings.gateway.fatePace {
    case .delivery: (until, interval, longest) = (now + Self.span, Self.shortest, Self.longest)
    case .acknowledgement:
      (until, interval, longest) = (nil, Self.shortestForPeople, Self.longestForPeople)
    }
    due = now + interval
  }

  /// Whether it ends with the alert.
  package var endsWithAlert: Bool { until == nil }

  package mutating func asked() {
    due = nil
  }

  /// Plans the next question, while there is time.
  package mutating func answered(at now: BootTime) {
    interval = min(interval * 2, longest)
    if until.map({ now + interval <= $0 }) ?? true { due = now + interval } else { isOver = true }
  }

  /// The fate is known.
  package mutating func end() {
    isOver = true
    due = nil
  }
}
