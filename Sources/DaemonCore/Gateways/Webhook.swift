/// Any server of the owner's: what is sent and what counts as accepted is configured. Source: CONTRACT, webhook.
///
/// It has no documented permanent error, so it never refuses. `Idempotency-Key` is the same for every try: by
/// it a server knows a repeated message.
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

  package var baseURL: String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return url }
    let server = parts[2].prefix { !"/?#".contains($0) }
    let place = server.split(separator: "@", omittingEmptySubsequences: false).last ?? server
    return "\(parts[0])//\(place)"
  }

  package func steps(for message: Message) -> [Step] {
    let request = Request(
      method: method, url: address(for: message), headers: headers(for: message),
      body: Array(content(for: message).utf8))
    return [Step(name: "text", request: request)]
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    let expected = accept.statuses.isEmpty ? response.isSuccess : accept.statuses.contains(response.status)
    guard expected, !response.isWebPage else { return response.unexplained }
    if let part = accept.bodyContains, !response.body.holds(part) {
      return response.retry(
        "the answer (\(response.status)) does not hold what accept.body_contains asks for")
    }
    guard let path = accept.jsonPath else { return .accepted(Acceptance()) }
    guard let value = response.json?.value(at: path) else {
      return response.retry("the answer (\(response.status)) has nothing at accept.json.path")
    }
    if let wanted = accept.jsonEquals, value != wanted {
      return response.retry("the answer (\(response.status)) differs from accept.json.equals")
    }
    return .accepted(Acceptance())
  }

  private func address(for message: Message) -> String {
    url.replacing("{to}", by: (message.to ?? "").percentEncoded)
  }

  private func content(for message: Message) -> String {
    switch body {
    case .json: String(decoding: WebhookDocument(message).json.bytes, as: UTF8.self)
    case .form: formEncoded(WebhookDocument(message).form)
    case .template(let template): template.rendered(for: message, contentType: contentType)
    }
  }

  private func headers(for message: Message) -> [Header] {
    let type = body == .form ? "application/x-www-form-urlencoded" : contentType
    let own = [Header("Content-Type", type), Header("Idempotency-Key", message.idempotencyKey)]
    let given = headers.map { $0.name.utf8.asciiLowercased }
    return own.filter { !given.contains($0.name.utf8.asciiLowercased) } + headers
  }
}
