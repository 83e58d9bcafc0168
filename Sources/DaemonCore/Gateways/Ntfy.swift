/// ntfy, on ntfy.sh or a server of one's own. Source: docs.ntfy.sh/publish, server/errors.go.
///
/// The message goes as JSON, not in headers, which would need another encoding and break on line breaks. There
/// is no idempotency: a try that was cut off after the server had it comes twice.
package struct Ntfy: Gateway {
  package var baseURL: String
  /// nil where anyone may write to the topic.
  package var token: String?
  /// Where the button of a call for help says that someone has it; nil: no button.
  package var replyTopic: String?

  /// From 4096 bytes on the text would become an attachment, and with what has to be escaped the whole document
  /// may take 8192: both hold for any text of this length.
  private static let textLimit = TextLimit.bytes(3500)
  private static let titleLimit = 100

  package init(baseURL: String, token: String?, replyTopic: String? = nil) {
    self.baseURL = baseURL
    self.token = token
    self.replyTopic = replyTopic
  }

  package func steps(for message: Message) -> [Step] {
    var fields: [(String, JSON)] = [
      ("topic", .string(message.to ?? "")), ("message", .string(message.text(Self.textLimit))),
      ("title", .string(String(message.wearer.prefix(utf16: Self.titleLimit)))),
      ("priority", .integer(message.isUrgent ? 5 : 3)),
    ]
    switch message.kind {
    case .alert, .update: fields.append(("tags", .array([.string("sos")])))
    case .allClear: fields.append(("tags", .array([.string("white_check_mark")])))
    case .drill: break
    }
    if message.hasPin, let link = message.mapURL { fields.append(("click", .string(link))) }
    let reference = message.isUrgent && replyTopic != nil ? message.idempotencyKey : nil
    if let reference, let replyTopic {
      let button = JSON.fields([
        ("action", .string("http")), ("label", .string("👍 OK")), ("url", .string("\(baseURL)/\(replyTopic)")),
        ("method", .string("POST")), ("body", .string(reference)), ("clear", .bool(true)),
      ])
      fields.append(("actions", .array([button])))
    }
    let headers = authorization + [Header("Content-Type", "application/json")]
    let request = Request(
      method: "POST", url: "\(baseURL)/", headers: headers, body: JSON.fields(fields).bytes)
    return [Step(name: "text", request: request, reference: reference)]
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json else { return response.unexplained }
    if response.isSuccess, answer["event"]?.string == "message", answer["id"]?.wireName != nil {
      // The server's own time, so that this device's clock does not matter.
      let time = answer["time"]?.wireInteger ?? 0
      return .accepted(Acceptance(receipt: step.reference.map { "\(time) \($0)" }))
    }
    guard let code = answer["code"]?.wireInteger else { return response.unexplained }
    switch code {
    case 40009, 40010: return .refused(reason: "ntfy does not allow this topic (\(code))")
    case 40301: return .refused(reason: "not allowed to write to this topic (40301)")
    case 40101: return response.retry("access token not accepted (40101)")
    case 42900...42999: return response.retry("too many messages (\(code))")
    default:
      let words = ServerWords.fit(answer["error"]?.string ?? "", secrets: secrets)
      return response.retry("\(words.isEmpty ? "ntfy error" : words) (\(code))")
    }
  }

  package var fatePace: FatePace { .acknowledgement }

  package func fateRequest(for receipt: String) -> Request? {
    guard let replyTopic, let time = receipt.split(separator: " ").first else { return nil }
    let query = "poll=1&since=\(String(time).percentEncoded)"
    return Request(method: "GET", url: "\(baseURL)/\(replyTopic)/json?\(query)", headers: authorization)
  }

  /// A document a line, one for each press of a button since then.
  package func fate(from response: Response, of receipt: String) -> Fate {
    guard response.isSuccess, let reference = receipt.split(separator: " ").last.map(String.init) else {
      return .unknown
    }
    let lines = response.body.split(separator: UInt8(ascii: "\n")).compactMap { JSON(parsing: Array($0)) }
    return lines.contains { $0["message"]?.string == reference } ? .acknowledged : .unknown
  }

  /// Reading the account proves the token; without one there is nothing but the server to be proven.
  package var probe: Request? {
    Request(
      method: "GET", url: baseURL + (token == nil ? "/v1/health" : "/v1/account"), headers: authorization)
  }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json else { return response.unexplained.reason }
    if answer["code"]?.wireInteger == 40101 { return "access token not accepted (40101)" }
    let isFine = token == nil ? answer["healthy"]?.bool == true : answer["username"]?.string != nil
    return response.isSuccess && isFine ? nil : response.unexplained.reason
  }

  private var authorization: [Header] { token.map { [Header("Authorization", "Bearer \($0)")] } ?? [] }
  private var secrets: [String] { token.map { [$0] } ?? [] }
}

extension Ntfy: ConfigurableGateway {
  /// Source: docs.ntfy.sh/publish; server/server.go, topicRegex.
  static var addressing: Addressing {
    .name(
      "the topic that the contact subscribes to",
      form: "a topic: letters, digits, hyphens and underscores, at most 64", length: 1...64
    ) { $0.isPlainWord || $0 == "-" || $0 == "_" }
  }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, "instead of https://ntfy.sh"),
      ConfigKey("token", .secret, "an access token, where the topic is protected"),
      ConfigKey("reply_topic", .text, "where a button says that someone has the call for help"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Ntfy? {
    let url = reader.url("url") ?? "https://ntfy.sh"
    let reply = reader.text("reply_topic")
    if let reply, case .failure(let problem) = addressing.read(.string(reply)) {
      reader.error("reply_topic", problem.text)
    }
    return Ntfy(baseURL: url.withoutTrailingSlash, token: reader.secret("token"), replyTopic: reply)
  }
}
