/// Signal, through signal-cli-rest-api on a server of one's own. Source: bbernhard.github.io/signal-cli-rest-api,
/// src/api/api.go.
///
/// There is no idempotency: a try that was cut off after the server had it comes twice.
package struct Signal: Gateway {
  package var baseURL: String
  /// The number that the server has registered or is linked to.
  package var number: String
  /// For a server behind a proxy that asks for it; nil where none does.
  package var token: String?

  /// A longer text travels as an attachment. Source: signal-cli, MessageUtils.
  private static let textLimit = TextLimit.bytes(2000)

  package init(baseURL: String, number: String, token: String? = nil) {
    self.baseURL = baseURL
    self.number = number
    self.token = token
  }

  package func steps(for message: Message) -> [Step] {
    let document = JSON.fields([
      ("message", .string(message.text(Self.textLimit))), ("number", .string(number)),
      ("recipients", .array([.string(message.to ?? "")])), ("text_mode", .string("normal")),
    ])
    let headers = authorization + [Header("Content-Type", "application/json")]
    let request = Request(
      method: "POST", url: "\(baseURL)/v2/send", headers: headers, body: document.bytes)
    return [Step(name: "text", request: request)]
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json else { return response.unexplained }
    // The timestamp is Signal's name for the message; old versions write it as a number.
    if response.status == 201, let stamp = answer["timestamp"]?.wireInteger, stamp > 0 {
      return .accepted(Acceptance())
    }
    guard let error = answer["error"]?.string else { return response.unexplained }
    return failure(error, answer, in: response)
  }

  package var probe: Request? { asking("/v1/accounts") }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json else { return response.unexplained.reason }
    guard response.isSuccess, let numbers = answer.array else {
      return answer["error"]?.string.map(fitted) ?? response.unexplained.reason
    }
    return numbers.contains(.string(number)) ? nil : "the server has not registered the gateway's number"
  }

  package func recipientProbe(for to: String) -> Request? {
    guard to.hasPrefix("+") else { return nil }
    return asking("/v1/search/\(number.percentEncoded)?numbers=\(to.percentEncoded)")
  }

  package func recipientProblem(in response: Response, for to: String) -> String? {
    guard response.isSuccess, let found = response.json?.array?.first else {
      return response.json?["error"]?.string.map(fitted) ?? response.unexplained.reason
    }
    return found["registered"]?.bool == true ? nil : "this number is not on Signal"
  }

  private func failure(_ error: String, _ answer: JSON, in response: Response) -> Outcome {
    let said = error.utf8.asciiLowercased
    if response.status == 429 || said.holds("rate limit") {
      // Without a challenge that someone can solve it passes by itself.
      let challenges = answer["challenge_tokens"]?.array?.compactMap(\.string) ?? []
      guard challenges.contains(where: { !$0.isEmpty }) else {
        return response.retry("too many messages (429)")
      }
      return .refused(reason: "Signal wants a captcha solved first: see the server's rate-limit-challenge")
    }
    if said.holds("untrusted identit") {
      return .refused(reason: "the contact's safety number has changed: trust it on the server")
    }
    if said.holds("unregistered user") || said.holds("invalid group id") {
      return .refused(reason: "no such user or group on Signal")
    }
    if said.holds("is not registered") || said.holds("specified account does not exist") {
      return response.retry("the server has not registered the gateway's number")
    }
    return response.retry(fitted(error))
  }

  private func fitted(_ words: String) -> String {
    let fit = ServerWords.fit(words, secrets: token.map { [$0] } ?? [])
    return fit.isEmpty ? "Signal error" : fit
  }

  private func asking(_ path: String) -> Request {
    Request(method: "GET", url: baseURL + path, headers: authorization)
  }

  private var authorization: [Header] { token.map { [Header("Authorization", "Bearer \($0)")] } ?? [] }
}

extension Signal: ConfigurableGateway {
  /// A phone number, or a group by the id that the server lists.
  static var addressing: Addressing {
    var addressing = Addressing.phone
    addressing.missing = "the contact's phone number, or a group's id"
    addressing.form = "a phone number with the country's code, or a group's id, which begins with \"group.\""
    addressing.canonical = { given in
      guard let text = given.string, text.hasPrefix("group.") else {
        return Addressing.phone.canonical(given)
      }
      let isPlain = text.unicodeScalars.dropFirst(6).allSatisfy {
        $0.isPlainWord || "+/=-_".contains(Character($0))
      }
      return isPlain && (8...200).contains(text.utf8.count) ? text : nil
    }
    return addressing
  }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, required: true, "the server that runs signal-cli-rest-api"),
      ConfigKey("number", .text, required: true, "the phone number that the server has registered"),
      ConfigKey("token", .secret, "where a proxy before the server asks for one"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Signal? {
    let number = reader.text("number")
    if let number, PhoneNumber.canonical(number) == nil {
      reader.error("number", "must be a phone number: + and 8 to 15 digits with the country's code")
    }
    let token = reader.secret("token")
    guard let url = reader.url("url"), let number = number.flatMap(PhoneNumber.canonical) else { return nil }
    return Signal(baseURL: url.withoutTrailingSlash, number: number, token: token)
  }
}
