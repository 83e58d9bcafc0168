/// A messaging service: builds requests, reads answers, keeps no state.
package protocol Gateway: Sendable {
  /// The requests that make up one message, in order.
  ///
  /// The first accepted one decides the outcome; a step that is answered with a failure before that hands
  /// over to the next step; every step after an acceptance is sent once and only logged.
  func steps(for message: Message) -> [Step]

  /// What `response` to `step` means.
  func outcome(of response: Response, to step: Step) -> Outcome

  /// The request that asks for the fate of an accepted message; nil where the service cannot tell.
  func fateRequest(for receipt: String) -> Request?

  /// What the answer to `fateRequest` means.
  func fate(from response: Response) -> Fate

  /// A request that proves credentials without sending anything to anyone; nil where there is none, and
  /// then only reaching the server is tried.
  var probe: Request? { get }

  /// The verdict on the answer to `probe`: nil when all is well, else what is wrong.
  func probeProblem(in response: Response) -> String?

  /// A request that asks whether `to` can be reached, without sending anything to anyone; nil where the service
  /// cannot say.
  func recipientProbe(for to: String) -> Request?

  /// The verdict on the answer to `recipientProbe`: nil when all is well, else what is wrong.
  func recipientProblem(in response: Response, for to: String) -> String?

  /// The address that is contacted when there is no probe: scheme, host and port as a URL.
  var baseURL: String { get }

  /// Whether an acceptance of a message to this gateway can ever be strong.
  var canProve: Bool { get }
}

extension Gateway {
  package func fateRequest(for receipt: String) -> Request? { nil }
  package func fate(from response: Response) -> Fate { .unknown }
  package var probe: Request? { nil }
  package func probeProblem(in response: Response) -> String? { nil }
  package func recipientProbe(for to: String) -> Request? { nil }
  package func recipientProblem(in response: Response, for to: String) -> String? { nil }
  package var canProve: Bool { true }
}

/// One request of a message.
package struct Step: Hashable, Sendable {
  /// What it is, for the log: `text`, `template`, `location`.
  package var name: String
  package var request: Request
  /// Another form of the step before it: left out once any step was accepted.
  package var fallback: Bool

  package init(name: String, request: Request, fallback: Bool = false) {
    self.name = name
    self.request = request
    self.fallback = fallback
  }
}
