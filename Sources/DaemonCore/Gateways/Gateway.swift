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

  /// The same, for a service whose answer is about many messages.
  func fate(from response: Response, of receipt: String) -> Fate

  /// How long and how often that is asked.
  var fatePace: FatePace { get }

  /// What is sent once when that answer told of an acknowledgement, to let whoever gave it know; nil for nothing.
  func thanks(for response: Response, of receipt: String) -> Request?

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
  package func fate(from response: Response, of receipt: String) -> Fate { fate(from: response) }
  package var fatePace: FatePace { .delivery }
  package func thanks(for response: Response, of receipt: String) -> Request? { nil }
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
  /// What an acknowledgement of it will name; nil where it cannot be acknowledged.
  package var reference: String?

  package init(name: String, request: Request, fallback: Bool = false, reference: String? = nil) {
    self.name = name
    self.request = request
    self.fallback = fallback
    self.reference = reference
  }
}

/// How a service is asked what became of a message.
package enum FatePace: Hashable, Sendable {
  /// Whether it was delivered: soon known, or never.
  case delivery
  /// Whether someone acknowledged it: asked as long as the alert is open.
  case acknowledgement
}
