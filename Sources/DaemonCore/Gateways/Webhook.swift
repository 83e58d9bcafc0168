/// Any server of the owner's: what is sent and what counts as accepted is configured. Source: CONTRACT, webhook.
package struct Webhook: Gateway {
  /// May hold `{to}`, which becomes the route's address, percent-encoded.
  package var url: String
  package var method: String
  /// The owner's headers; they win over the daemon's own.
  package var headers: [Header]
  package var body: WebhookBody
  package var contentType: String
  package var accept: WebhookAccept

  package init(
    url: String, method: String, headers: [Header], body: WebhookBody, contentType: String,
    accept: WebhookAccept
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.contentType = contentType
    self.accept = accept
  }
  package var baseURL: String { url }
  package func steps(for message: Message) -> [Step] { [] }
  package func outcome(of response: Response, to step: Step) -> Outcome { .retry(reason: "", after: nil) }
}
