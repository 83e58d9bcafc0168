/// Telegram's Bot API. Source: core.telegram.org/bots/api.
///
/// The text goes without `parse_mode`: markup would turn an odd underscore in an address into a refused alert.
/// The token stands in the URL, so no reason ever repeats a URL. There is no idempotency: a try that was cut
/// off after the server had it comes twice.
package struct Telegram: Gateway {
  package var baseURL: String
  package var botToken: String
  /// Whether a call for help has a button by which someone says that they have it.
  package var acknowledges: Bool

  /// In UTF-16 units.
  private static let textLimit = 4096

  package init(baseURL: String, botToken: String, acknowledges: Bool = false) {
    self.baseURL = baseURL
    self.botToken = botToken
    self.acknowledges = acknowledges
  }

  package func steps(for message: Message) -> [Step] {
    let chat = Self.chatID(message.to ?? "")
    var text = [("chat_id", chat), ("text", .string(message.text(limit: Self.textLimit)))]
    let hasButton = acknowledges && message.isUrgent
    if hasButton {
      let button = JSON.fields([("text", .string("👍 OK")), ("callback_data", .string("ok"))])
      text.append(("reply_markup", .fields([("inline_keyboard", .array([.array([button])]))])))
    }
    var steps = [
      Step(name: "text", request: call("sendMessage", text), reference: hasButton ? "button" : nil)
    ]
    if message.hasPin, let fix = message.position.fix {
      var pin: [(String, JSON)] = [
        ("chat_id", chat), ("latitude", .degrees(fix.latitude)), ("longitude", .degrees(fix.longitude)),
      ]
      if let accuracy = fix.accuracy, accuracy.isFinite {
        pin.append(("horizontal_accuracy", .tenths(min(max(accuracy, 0), 1500))))
      }
      steps.append(Step(name: "location", request: call("sendLocation", pin)))
    }
    return steps
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json, let ok = answer["ok"]?.bool else { return response.unexplained }
    if ok, response.isSuccess {
      return .accepted(Acceptance(receipt: step.reference == nil ? nil : Self.name(of: answer["result"])))
    }

    let code = answer["error_code"]?.wireInteger ?? Int64(response.status)
    let words = description(in: answer)
    let said = words.utf8.asciiLowercased
    if let moved = answer["parameters"]?["migrate_to_chat_id"]?.wireInteger {
      return .refused(reason: "the group has moved: its new chat id is \(moved)")
    }
    switch code {
    case 400 where Self.unknownChat.contains { said.holds($0) }: return .refused(reason: words)
    case 403 where Self.shutOut.contains { said.holds($0) }: return .refused(reason: words)
    case 401, 404: return response.retry("bot token not accepted (\(code))")
    case 429:
      let seconds = answer["parameters"]?["retry_after"]?.wireInteger
      let after = seconds.map { Duration.seconds(min(max($0, 0), 315_360_000)) }
      return .retry(reason: "too many messages (429)", after: after ?? response.retryAfter)
    default: return response.retry(words.isEmpty ? "Telegram error \(code)" : words)
    }
  }

  package var fatePace: FatePace { .acknowledgement }

  /// The newest hundred presses of buttons; nothing is confirmed, so that every message can look for its own.
  package func fateRequest(for receipt: String) -> Request? {
    let query = "timeout=0&limit=100&offset=-100&allowed_updates=" + "[\"callback_query\"]".percentEncoded
    return Request(method: "GET", url: "\(address(of: "getUpdates"))?\(query)")
  }

  package func fate(from response: Response, of receipt: String) -> Fate {
    press(in: response, of: receipt) == nil ? .unknown : .acknowledged
  }

  /// Until that is answered, the button turns a little wheel.
  package func thanks(for response: Response, of receipt: String) -> Request? {
    press(in: response, of: receipt)?["id"].map { id in
      call("answerCallbackQuery", [("callback_query_id", id), ("text", .string("👍"))])
    }
  }

  private func press(in response: Response, of receipt: String) -> JSON? {
    guard response.isSuccess, let answer = response.json, answer["ok"]?.bool == true else { return nil }
    let presses = answer["result"]?.array?.compactMap { $0["callback_query"] } ?? []
    return presses.first { Self.name(of: $0["message"]) == receipt }
  }

  /// What a message is called: its number counts within the chat.
  private static func name(of message: JSON?) -> String? {
    guard let chat = message?["chat"]?["id"]?.wireInteger, let number = message?["message_id"]?.wireInteger
    else {
      return nil
    }
    return "\(chat)/\(number)"
  }

  package var probe: Request? { Request(method: "GET", url: address(of: "getMe")) }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json, let ok = answer["ok"]?.bool else { return response.unexplained.reason }
    if ok, response.isSuccess { return nil }
    let words = description(in: answer)
    return "bot token not accepted" + (words.isEmpty ? "" : ": \(words)")
  }

  package func recipientProbe(for to: String) -> Request? {
    Request(method: "GET", url: "\(address(of: "getChat"))?chat_id=\(to.percentEncoded)")
  }

  package func recipientProblem(in response: Response, for to: String) -> String? {
    let step = Step(name: "chat", request: Request(method: "GET", url: ""))
    return outcome(of: response, to: step).reason
  }

  /// Documented answers about a chat that does not exist or that the bot may not write to.
  private static let unknownChat = [
    "chat not found", "user not found", "peer_id_invalid", "chat_id is empty", "chat_id_invalid",
    "have no rights to send", "not enough rights to send",
  ]
  private static let shutOut = [
    "blocked by the user", "user is deactivated", "bot was kicked", "can't initiate conversation",
    "not a member", "can't send messages to bots",
  ]

  /// A number where it is one: a name begins with `@`.
  private static func chatID(_ to: String) -> JSON {
    Int64(to).map { .number("\($0)") } ?? .string(to)
  }

  private func description(in answer: JSON) -> String {
    let words = answer["description"]?.string ?? answer["error"]?.string ?? ""
    return ServerWords.fit(words, secrets: [botToken])
  }

  private func address(of method: String) -> String { "\(baseURL)/bot\(botToken)/\(method)" }

  private func call(_ method: String, _ fields: [(String, JSON)]) -> Request {
    Request(
      method: "POST", url: address(of: method), headers: [Header("Content-Type", "application/json")],
      body: JSON.fields(fields).bytes)
  }
}
