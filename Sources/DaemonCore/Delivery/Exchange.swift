/// One try of one message by one route: its steps in order, with redirects, until the outcome is known.
package struct Exchange: Sendable {
  package enum Progress: Sendable {
    /// Send this next.
    case send(Request)
    /// The outcome is known; `next`, if any, is a companion still to be sent.
    case finished(Outcome, next: Request?)
    /// A step after the acceptance was answered; it changes nothing.
    case companion(step: String, Outcome, next: Request?)
  }

  /// Hops of 307 and 308 that are followed, on the same host only.
  package static let hops = 5

  package let key: Delivery.Key
  package let route: Route
  package let gateway: any Gateway
  package let timeout: Duration
  package let caFile: String?
  /// Whether the text said that it was late.
  package let late: Bool
  private let steps: [Step]
  private var index = 0
  /// Where a redirect led from there.
  private var onward: Request?
  private var hopsTaken = 0
  private var isAccepted = false
  private var failure: Outcome?

  /// nil when the gateway has no steps for the message.
  package init?(
    key: Delivery.Key, route: Route, settings: GatewaySettings, timeout: Duration, message: Message,
    late: Bool
  ) {
    self.key = key
    self.route = route
    gateway = settings.gateway
    caFile = settings.caFile
    self.timeout = settings.timeout ?? timeout
    self.late = late
    steps = settings.gateway.steps(for: message)
    if steps.isEmpty { return nil }
  }

  /// What is to be sent, or was sent last.
  package var request: Request { onward ?? steps[index].request }

  package mutating func responded(_ result: Result<Response, TransportFailure>) -> Progress {
    let step = steps[index]
    switch result {
    case .failure(let problem):
      let outcome = Outcome.retry(reason: problem.description, after: nil)
      // The next step would meet the same network: the try is over.
      return isAccepted ? .companion(step: step.name, outcome, next: nil) : .finished(outcome, next: nil)
    case .success(let response):
      if hopsTaken < Self.hops, let target = Redirect.target(of: response, from: request) {
        hopsTaken += 1
        onward = target
        return .send(target)
      }
      return judged(gateway.outcome(of: response, to: step), step: step)
    }
  }

  private mutating func judged(_ outcome: Outcome, step: Step) -> Progress {
    hopsTaken = 0
    onward = nil
    if isAccepted { return .companion(step: step.name, outcome, next: takeNextStep()) }
    if case .accepted = outcome {
      isAccepted = true
      return .finished(outcome, next: takeNextStep())
    }
    // A refusal stands only if every step was refused; one that may work later keeps the route alive.
    switch failure {
    case .retry: break
    case .refused, .accepted, nil: failure = outcome
    }
    if let next = takeNextStep() { return .send(next) }
    return .finished(failure ?? outcome, next: nil)
  }

  private mutating func takeNextStep() -> Request? {
    while index + 1 < steps.count {
      index += 1
      if isAccepted, steps[index].fallback { continue }
      return request
    }
    return nil
  }
}

extension TransportFailure: CustomStringConvertible {
  package var description: String {
    detail.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(detail))"
  }
}
