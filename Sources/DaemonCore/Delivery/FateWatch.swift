/// Asks a service for the later fate of a message that it took, for two minutes and ever more seldom.
package struct FateWatch: Sendable {
  package static let span = Duration.seconds(120)
  package static let shortest = Duration.seconds(2)
  package static let longest = Duration.seconds(15)

  package let key: Delivery.Key
  package let route: Route
  package let settings: GatewaySettings
  package let receipt: String
  private let until: BootTime
  private var interval = FateWatch.shortest
  /// When to ask; nil while an answer is awaited.
  package private(set) var due: BootTime?
  package private(set) var isOver = false

  package init(key: Delivery.Key, route: Route, settings: GatewaySettings, receipt: String, at now: BootTime)
  {
    self.key = key
    self.route = route
    self.settings = settings
    self.receipt = receipt
    until = now + Self.span
    due = now + Self.shortest
  }

  package mutating func asked() {
    due = nil
  }

  /// Plans the next question, while there is time.
  package mutating func answered(at now: BootTime) {
    interval = min(interval * 2, Self.longest)
    if now + interval <= until { due = now + interval } else { isOver = true }
  }

  /// The fate is known.
  package mutating func end() {
    isOver = true
    due = nil
  }
}
