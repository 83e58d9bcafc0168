/// A Matrix room, on any homeserver. Source: spec.matrix.org, client-server API v1.11: §10.11 sending events,
/// §11.2 m.room.message, §4.6 transaction identifiers, §2.1.1 standard error response.
///
/// The transaction id is the same for every try, and the server answers a repeated one with the event it has:
/// the one service by which nothing comes twice. The message is not encrypted.
package struct Matrix: Gateway {
  package var baseURL: String
  package var accessToken: String

  /// An event may have 65,536 bytes with everything around the text, each of which may need an escape.
  private static let textLimit = TextLimit.bytes(16_384)

  package init(baseURL: String, accessToken: String) {
    self.baseURL = baseURL
    self.accessToken = accessToken
  }

  package func steps(for message: Message) -> [Step] {
    let text = JSON.string(message.text(Self.textLimit))
    var steps = [send("text", message, [("msgtype", .string("m.text")), ("body", text)])]
    if message.hasPin, let fix = message.position.fix {
      steps.append(
        send(
          "location", message,
          [
            ("msgtype", .string("m.location")), ("body", .string(fix.coordinates)),
            ("geo_uri", .string(Self.geoURI(of: fix))),
          ]))
    }
    return steps
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json else { return response.unexplained }
    // An answer that says both is asked for again: the same transaction costs nothing.
    if response.isSuccess, answer["event_id"]?.wireName != nil, answer["errcode"] ?? .null == .null {
      return .accepted(Acceptance())
    }
    return failure(answer, in: response)
  }

  package var probe: Request? { asking("account/whoami") }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json else { return response.unexplained.reason }
    if response.isSuccess, answer["user_id"]?.string != nil { return nil }
    return failure(answer, in: response).reason
  }

  package func recipientProbe(for to: String) -> Request? { asking("joined_rooms") }

  package func recipientProblem(in response: Response, for to: String) -> String? {
    guard response.isSuccess, let rooms = response.json?["joined_rooms"]?.array else {
      return response.json.flatMap { failure($0, in: response).reason } ?? response.unexplained.reason
    }
    return rooms.contains(.string(to)) ? nil : "the account is not in this room: invite it, and accept"
  }

  private func failure(_ answer: JSON, in response: Response) -> Outcome {
    guard let code = answer["errcode"]?.wireName else { return response.unexplained }
    switch code {
    case "M_FORBIDDEN" where response.status == 403:
      return .refused(reason: "the account is not in this room, or may not write to it (M_FORBIDDEN)")
    case "M_UNKNOWN_TOKEN", "M_MISSING_TOKEN", "M_USER_DEACTIVATED", "M_USER_LOCKED", "M_USER_SUSPENDED":
      return response.retry("access token not accepted (\(code))")
    case "M_LIMIT_EXCEEDED":
      // Retry-After is the newer way to say it: it is read first, as the specification asks.
      let milliseconds = answer["retry_after_ms"]?.wireInteger
      let after = milliseconds.map { Duration.milliseconds(min(max($0, 0), 315_360_000_000)) }
      return .retry(reason: "too many messages (M_LIMIT_EXCEEDED)", after: response.retryAfter ?? after)
    default:
      let said = ServerWords.fit(answer["error"]?.string ?? "", secrets: [accessToken])
      let name = ServerWords.fit(code, secrets: [accessToken])
      return response.retry(said.isEmpty ? name : "\(said) (\(name))")
    }
  }

  /// Source: RFC 5870.
  private static func geoURI(of fix: Fix) -> String {
    let place = "geo:\(fix.latitudeText),\(fix.longitudeText)"
    guard let accuracy = fix.accuracy, accuracy.isFinite, accuracy >= 0 else { return place }
    return "\(place);u=\(JSON.fixed(accuracy, decimals: 1))"
  }

  private func send(_ name: String, _ message: Message, _ content: [(String, JSON)]) -> Step {
    let room = (message.to ?? "").percentEncoded
    let transaction = "\(message.idempotencyKey)/\(name)".percentEncoded
    let request = Request(
      method: "PUT", url: "\(client)/rooms/\(room)/send/m.room.message/\(transaction)",
      headers: [authorization, Header("Content-Type", "application/json")], body: JSON.fields(content).bytes)
    return Step(name: name, request: request)
  }

  private func asking(_ path: String) -> Request {
    Request(method: "GET", url: "\(client)/\(path)", headers: [authorization])
  }

  private var client: String { "\(baseURL)/_matrix/client/v3" }
  private var authorization: Header { Header("Authorization", "Bearer \(accessToken)") }
}

extension Matrix: ConfigurableGateway {
  /// Source: spec.matrix.org, appendices, room IDs: `!` and an opaque text, at most 255 bytes.
  static var addressing: Addressing {
    Addressing(
      missing: "the room's id, which begins with \"!\"",
      form: "a room's id: it begins with \"!\" and stands in the room's settings; a name with \"#\" is none"
    ) { given in
      guard let text = given.string, text.hasPrefix("!"), (2...255).contains(text.utf8.count) else {
        return nil
      }
      return text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : nil
    }
  }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, required: true, "the homeserver, like https://matrix.org"),
      ConfigKey("access_token", .secret, required: true, "of an account of the device's own"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Matrix? {
    guard let url = reader.url("url"), let token = reader.secret("access_token") else { return nil }
    return Matrix(baseURL: url.withoutTrailingSlash, accessToken: token)
  }
}
