extension Webhook: ConfigurableGateway {
  static var addressing: Addressing { .free }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .secret, required: true, "where to send; may hold placeholders, like {to}"),
      ConfigKey("method", .choice(["POST", "PUT", "PATCH", "GET"]), "the HTTP method"),
      ConfigKey("headers", .named, "further headers; values may be secret"),
      ConfigKey("body", .text, "\"json\", \"form\", or your own text with placeholders"),
      ConfigKey("content_type", .text, "of your own body"),
      ConfigKey(
        "accept",
        .object([
          ConfigKey("status", .list, "the HTTP statuses that count, instead of 200 to 299"),
          ConfigKey("body_contains", .text, "what the answer must hold"),
          ConfigKey("proves", .bool, "whether acceptance proves that the contact is told"),
          ConfigKey(
            "json",
            .object([
              ConfigKey(
                "path", .text, required: true, "keys to a value, joined by dots; * is every element of a list"
              ),
              ConfigKey("equals", .various, "what it must be; without it the value must only be there"),
            ]), "what the answer, as JSON, must say"),
        ]), "what counts as accepted"),
      ConfigKey(
        "limit",
        .object([
          ConfigKey("length", .integer(1...1_000_000), required: true, "the longest text, in units"),
          ConfigKey("unit", .choice(Unit.allCases.map(\.rawValue)), "what the service counts"),
        ]), "how long a text may be: a longer one keeps the wearer, the position and the link"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Webhook? {
    let headers = headers(reader)
    let accept = accept(reader)
    let method = reader.choice("method", as: Method.self) ?? .post
    var body = WebhookBody.json
    switch reader.text("body", multiline: true) {
    case nil, "json": break
    case "form": body = .form
    case let text?:
      switch WebhookTemplate.parse(text) {
      case .success(let template): body = .template(template)
      case .failure(let problem): reader.error("body", problem.text)
      }
    }
    if method == .get, reader.node("body") != nil { reader.warning("body", "a GET seldom carries a body") }
    let type = reader.text("content_type")
    if let type, case .form = body, type != "application/x-www-form-urlencoded" {
      reader.error("content_type", "is fixed with \"body\": \"form\": remove it")
    }
    guard let url = reader.url("url", secret: true) else { return nil }
    if case .failure(let problem) = WebhookTemplate.parse(url) { reader.error("url", problem.text) }
    if url.contains("{text}"), reader.node("body") == nil { body = .none }
    var hook = Webhook(
      url: url, method: method.rawValue, headers: headers, body: body,
      contentType: type ?? "application/json", accept: accept)
    hook.limit = limit(reader)
    return hook
  }

  private enum Unit: String, CaseIterable {
    /// UTF-16 units, which is on the safe side wherever characters are counted.
    case characters
    case bytes
    /// Of an SMS.
    case parts
  }

  private static func limit(_ reader: ObjectReader) -> TextLimit? {
    guard let part = reader.object("limit"), let length = part.integer("length") else { return nil }
    switch part.choice("unit", as: Unit.self) ?? .characters {
    case .characters: return .utf16(length)
    case .bytes: return .bytes(length)
    case .parts: return .segments(length)
    }
  }

  private enum Method: String {
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case get = "GET"
  }

  private static func headers(_ reader: ObjectReader) -> [Header] {
    guard let node = reader.node("headers") else { return [] }
    guard case .object(let members) = node.content else {
      reader.error("headers", "must be an object in { }, not \(node.typeName)")
      return []
    }
    let path = reader.path(of: "headers")
    var first: [String: Int] = [:]
    return ObjectReader.present(members).compactMap { member in
      let place = reader.report.path(path, member.key)
      // Source: RFC 9110 §5.6.2, token.
      let isToken =
        !member.key.isEmpty
        && member.key.utf8.allSatisfy {
          ($0 > 0x20 && $0 < 0x7F) && !Array("\"(),/:;<=>?@[\\]{}".utf8).contains($0)
        }
      guard isToken else {
        reader.report.error(at: member.keyOffset, place, "is no header name: no spaces, no colon")
        return nil
      }
      let name = member.key.lowercased()
      if let earlier = first[name] {
        reader.report.repeated(place, at: member.keyOffset, earlier: earlier)
      }
      first[name] = member.keyOffset
      if ["content-length", "transfer-encoding", "connection", "expect"].contains(name) {
        reader.report.error(at: member.keyOffset, place, "is set by what is sent: remove it")
      }
      return ObjectReader.secret(member.value, path: place, reader.report).map { Header(member.key, $0) }
    }
  }

  private static func accept(_ reader: ObjectReader) -> WebhookAccept {
    var accept = WebhookAccept()
    guard let part = reader.object("accept") else { return accept }
    if let nodes = part.list("status") {
      accept.statuses = nodes.compactMap(\.json.integer).filter { (100...599).contains($0) }
      if accept.statuses.count != nodes.count || nodes.isEmpty {
        part.error("status", "must be a list of HTTP statuses, like [200, 202]")
      }
    }
    accept.bodyContains = part.text("body_contains")
    accept.proves = part.bool("proves") ?? true
    if let json = part.object("json") {
      accept.jsonPath = json.text("path")?.split(separator: ".").map(String.init)
      if accept.jsonPath == [] { json.error("path", "names nothing: give keys joined by dots, like \"a.b\"") }
      accept.jsonEquals = json.node("equals")?.json
      switch accept.jsonEquals {
      case .array, .object: json.error("equals", "must be text, a number, true or false")
      case .null, .bool, .number, .string, nil: break
      }
    }
    return accept
  }
}
