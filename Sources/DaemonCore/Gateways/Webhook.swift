/// Any server of the owner's: what is sent and what counts as accepted is configured. Source: CONTRACT, webhook.
///
/// It has no documented permanent error, so it never refuses. `Idempotency-Key` is the same for every try: by
/// it a server knows a repeated message.
package struct Webhook: Gateway {
  /// May hold placeholders, which become percent-encoded.
  package let url: String
  package var method: String
  /// The owner's headers; they win over the daemon's own.
  package var headers: [Header]
  package var body: WebhookBody
  package var contentType: String
  package var accept: WebhookAccept
  /// Of the text, in whatever form it is sent; nil: none.
  package var limit: TextLimit?
  /// Whether there may be placeholders in `url`. Most have none, and to search for them is long.
  private let isFilled: Bool

  package init(
    url: String, method: String, headers: [Header], body: WebhookBody, contentType: String,
    accept: WebhookAccept
  ) {
    self.url = url
    isFilled = url.utf8.contains(UInt8(ascii: "{"))
    self.method = method
    self.headers = headers
    self.body = body
    self.contentType = contentType
    self.accept = accept
  }

  package var baseURL: String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return url }
    let server = parts[2].prefix { !"/?#".contains($0) }
    let place = server.split(separator: "@", omittingEmptySubsequences: false).last ?? server
    return "\(parts[0])//\(place)"
  }

  package var canProve: Bool { accept.proves }

  package func steps(for message: Message) -> [Step] {
    guard let limit else { return [step(for: message)] }
    var shortened = message
    shortened.text = message.text(limit)
    return [step(for: shortened)]
  }

  private func step(for message: Message) -> Step {
    let request = Request(
      method: method, url: address(for: message), headers: headers(for: message),
      body: content(for: message))
    return Step(name: "text", request: request)
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    let expected = accept.statuses.isEmpty ? response.isSuccess : accept.statuses.contains(response.status)
    guard expected, !response.isWebPage else { return response.unexplained }
    if let part = accept.bodyContains, !response.body.holds(part) {
      return response.retry(
        "the answer (\(response.status)) does not hold what accept.body_contains asks for")
    }
    let taken = Outcome.accepted(Acceptance(strong: accept.proves))
    guard let path = accept.jsonPath else { return taken }
    guard let values = response.json?.values(at: path) else {
      return response.retry("the answer (\(response.status)) has nothing at accept.json.path")
    }
    if let wanted = accept.jsonEquals, values.contains(where: { $0 != wanted }) {
      return response.retry("the answer (\(response.status)) differs from accept.json.equals")
    }
    return taken
  }

  private func address(for message: Message) -> String {
    guard isFilled else { return url }
    return WebhookPlaceholder.allCases.reduce(url) { address, name in
      address.replacing("{\(name.rawValue)}", by: (name.value(in: message) ?? "").percentEncoded)
    }
  }

  private func content(for message: Message) -> [UInt8]? {
    switch body {
    case .none: nil
    case .json: WebhookDocument(message).bytes
    case .form: Array(formEncoded(WebhookDocument(message).form).utf8)
    case .template(let template): Array(template.rendered(for: message, contentType: contentType).utf8)
    }
  }

  private func headers(for message: Message) -> [Header] {
    let key = Header("Idempotency-Key", message.idempotencyKey)
    let own =
      switch body {
      case .none: [key]
      case .form: [Header("Content-Type", "application/x-www-form-urlencoded"), key]
      case .json, .template: [Header("Content-Type", contentType), key]
      }
    guard !headers.isEmpty else { return own }
    let given = headers.map { $0.name.utf8.asciiLowercased }
    return own.filter { !given.contains($0.name.utf8.asciiLowercased) } + headers
  }
}
