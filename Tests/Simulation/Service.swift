import DaemonCore

/// The gateways of the simulated world, each known by its name.
package enum Service: String, Hashable, Sendable, CaseIterable {
  case hook, home
  /// A webhook that wants `{"ok":true}`.
  case strict
  case sms
  case whatsapp
  case telegram
  /// Those whose acceptance proves little.
  case freetext, callmebot

  var isWeak: Bool { self == .freetext || self == .callmebot }

  var settings: GatewaySettings {
    GatewaySettings(
      name: rawValue, type: rawValue, gateway: TracedGateway(inner: gateway, name: rawValue))
  }

  private var gateway: any Gateway {
    let url = "https://\(rawValue)"
    return switch self {
    case .hook, .home: Self.webhook(url, WebhookAccept())
    case .strict: Self.webhook(url, WebhookAccept(statuses: [200], jsonPath: ["ok"], jsonEquals: .bool(true)))
    case .sms:
      Twilio(
        baseURL: url, accountSID: "AC1", authToken: "secret", sender: .from("+15550100"), channel: .sms,
        contentSID: nil)
    case .whatsapp, .freetext:
      WhatsApp(
        baseURL: url, phoneNumberID: "1", accessToken: "token", apiVersion: "v1",
        template: self == .whatsapp ? WhatsAppTemplate(name: "help", language: "en") : nil)
    case .telegram: Telegram(baseURL: url, botToken: "1:token")
    case .callmebot: CallMeBot(baseURL: url, apiKey: "key")
    }
  }

  private static func webhook(_ url: String, _ accept: WebhookAccept) -> Webhook {
    Webhook(
      url: url, method: "POST", headers: [], body: .json, contentType: "application/json", accept: accept)
  }
}

/// What a service does with what reaches it.
package enum Weather: Hashable, Sendable, CaseIterable {
  case fine
  /// Works, after twelve seconds.
  case slow
  /// 200, and an error inside.
  case errorInside
  /// A plain 404.
  case missing
  /// 429 with Retry-After.
  case tooMany
  /// 503.
  case overloaded
  /// Says nothing until the daemon gives up.
  case silent
  /// Nobody listens.
  case closed
  /// Takes the message; the connection breaks before the answer.
  case answerLost
  case portalRedirect, portalPage
  /// Credentials are not accepted for the time being.
  case expiredToken
  /// The service's own permanent error, where it has one.
  case refusing
  /// Takes the message, and tells later that it could not be delivered, where it can tell.
  case undelivered
}

/// Marks each request with what it carries, so that the world knows it in every service's form.
struct TracedGateway: Gateway {
  var inner: any Gateway
  var name: String

  static let header = "X-Simulation"

  func steps(for message: Message) -> [Step] {
    var index = -1
    return inner.steps(for: message).map { step in
      index += 1
      var traced = step
      let fix = message.position.fix.map(Self.onTheWire) ?? "none"
      let trace = "\(message.idempotencyKey)/\(message.kind.rawValue)/\(index)/\(fix)"
      traced.request.headers.append(Header(Self.header, trace))
      return traced
    }
  }

  /// In millionths of a degree.
  private static func onTheWire(_ fix: Fix) -> String {
    "\(Int((fix.latitude * 1e6).rounded())),\(Int((fix.longitude * 1e6).rounded()))"
  }

  func outcome(of response: Response, to step: Step) -> Outcome { inner.outcome(of: response, to: step) }
  func fateRequest(for receipt: String) -> Request? { inner.fateRequest(for: receipt) }
  func fate(from response: Response) -> Fate { inner.fate(from: response) }
  var baseURL: String { inner.baseURL }
  var canProve: Bool { inner.canProve }
}

/// A request as the world sees it leave.
package struct Letter: Hashable, Sendable {
  var id: ExchangeID
  var service: Service
  var key: Delivery.Key
  var kind: MessageKind
  /// 0 is a try; more are its further steps.
  var step: Int
  /// The place it tells.
  var place: String

  /// nil for a question about a message's fate.
  init?(_ id: ExchangeID, _ request: Request) {
    guard let service = Letter.service(of: request),
      let parts = request.headers.last(where: { $0.name == TracedGateway.header })?.value.split(
        separator: "/"),
      parts.count == 6, let sequence = Int(parts[2]), let kind = MessageKind(rawValue: String(parts[3])),
      let step = Int(parts[4])
    else { return nil }
    self.id = id
    self.service = service
    key = Delivery.Key(alertID: String(parts[0]), contactID: String(parts[1]), sequence: sequence)
    self.kind = kind
    self.step = step
    place = String(parts[5])
  }

  static func service(of request: Request) -> Service? {
    let parts = request.url.split(separator: "/", maxSplits: 2)
    guard parts.count > 1 else { return nil }
    return Service(rawValue: String(parts[1].prefix { $0 != "?" }))
  }
}

/// What a service does with one request.
struct Answer {
  var result: Result<Response, TransportFailure>
  /// Milliseconds; nil never, so that the try ends with its timeout.
  var after: Int?
  /// Whether the service has the message.
  var isTaken = false

  init(_ status: Int, _ body: String = "", headers: [Header] = [], after: Int, isTaken: Bool = false) {
    let type = body.hasPrefix("<") ? "text/html" : "application/json"
    result = .success(
      Response(status: status, headers: headers + [Header("content-type", type)], body: Array(body.utf8)))
    self.after = after
    self.isTaken = isTaken
  }

  init(_ kind: TransportFailure.Kind, after: Int?, isTaken: Bool = false) {
    result = .failure(TransportFailure(kind: kind))
    self.after = after
    self.isTaken = isTaken
  }
}

extension Service {
  /// What the service answers to a message, or to a question about one.
  func answer(in weather: Weather, isQuestion: Bool, _ dice: inout Dice) -> Answer {
    let soon = dice.within(40...900)
    switch weather {
    case .fine, .undelivered: return works(isQuestion, weather, after: soon)
    case .slow: return works(isQuestion, weather, after: 12_000)
    case .errorInside: return errorInside(after: soon)
    case .missing: return Answer(404, "<html>nothing here</html>", after: soon)
    case .tooMany:
      let seconds = dice.pick([1, 30, 600, 86_400])
      return Answer(429, "{}", headers: [Header("retry-after", "\(seconds)")], after: soon)
    case .overloaded: return Answer(503, "no", after: soon)
    case .silent: return Answer(.timedOut, after: nil)
    case .closed: return Answer(.connecting, after: dice.within(1...50))
    case .answerLost: return Answer(.broken, after: soon, isTaken: !isQuestion)
    case .portalRedirect:
      return Answer(302, headers: [Header("location", "http://portal/")], after: soon)
    case .portalPage: return Answer(200, "<html>please log in</html>", after: soon)
    case .expiredToken: return expired(after: soon)
    case .refusing: return refusal(after: soon)
    }
  }

  private func works(_ isQuestion: Bool, _ weather: Weather, after: Int) -> Answer {
    if isQuestion {
      let fate = weather == .undelivered ? "undelivered" : "delivered"
      return Answer(200, #"{"sid":"SM1","status":"\#(fate)","error_code":30003}"#, after: after)
    }
    let (status, body) =
      switch self {
      case .hook, .home: (200, "")
      case .strict: (200, #"{"ok":true}"#)
      case .sms: (201, #"{"sid":"SM1","status":"queued"}"#)
      case .whatsapp, .freetext: (200, #"{"messages":[{"id":"wamid.1"}]}"#)
      case .telegram: (200, #"{"ok":true,"result":{}}"#)
      case .callmebot: (200, "Message queued.")
      }
    return Answer(status, body, after: after, isTaken: true)
  }

  private func errorInside(after: Int) -> Answer {
    switch self {
    case .hook, .home: Answer(200, "<html>error</html>", after: after)
    case .strict: Answer(200, #"{"ok":false}"#, after: after)
    case .sms: Answer(200, #"{"code":20500,"message":"internal"}"#, after: after)
    case .whatsapp, .freetext: Answer(200, #"{"error":{"code":131000,"message":"wrong"}}"#, after: after)
    case .telegram: Answer(200, #"{"ok":false,"error_code":500,"description":"internal"}"#, after: after)
    case .callmebot: Answer(200, "Too many requests", after: after)
    }
  }

  private func expired(after: Int) -> Answer {
    switch self {
    case .hook, .home, .strict: Answer(401, "", after: after)
    case .sms: Answer(401, #"{"code":20003,"message":"Authenticate"}"#, after: after)
    case .whatsapp, .freetext: Answer(401, #"{"error":{"code":190,"message":"expired"}}"#, after: after)
    case .telegram: Answer(401, #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#, after: after)
    case .callmebot: Answer(401, "", after: after)
    }
  }

  private func refusal(after: Int) -> Answer {
    switch self {
    case .hook, .home, .strict: Answer(400, "no", after: after)
    case .sms: Answer(400, #"{"code":21610,"message":"stopped"}"#, after: after)
    case .whatsapp, .freetext: Answer(400, #"{"error":{"code":131026,"message":"cannot"}}"#, after: after)
    case .telegram:
      Answer(400, #"{"ok":false,"error_code":400,"description":"chat not found"}"#, after: after)
    case .callmebot: Answer(200, "account is paused", after: after)
    }
  }
}

extension Setup {
  var config: Config {
    var config = Config()
    config.wearer.name = "Ayu"
    var button = ButtonSettings(line: .offset(17))
    button.hold = .milliseconds(hold)
    button.presses = presses
    config.button = button
    config.alert.cancelWindow = .seconds(window)
    config.alert.openFor = .seconds(openFor)
    config.alert.updates = updates ? UpdateSettings() : nil
    config.delivery.expire = .seconds(expire * 3600)
    if addresses { config.geocoder = Places.settings }
    var names: [String] = []
    for person in people {
      let routes = person.routes.split(separator: " ").map(String.init)
      for name in routes where !names.contains(name) { names.append(name) }
      config.contacts.append(
        Contact(name: person.id, id: person.id, routes: routes.map { Route(gateway: $0, to: "+62811000001") })
      )
    }
    config.gateways = names.compactMap { Service(rawValue: $0)?.settings }
    return config
  }
}
