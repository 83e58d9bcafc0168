import Testing

@testable import DaemonCore

/// What the gateways read in answers.
@Suite struct GatewayOutcomeTests {
  enum Verdict: Equatable, Sendable {
    case strong, weak, refused
    case retry(Int64?)

    init(_ outcome: Outcome) {
      switch outcome {
      case .accepted(let acceptance): self = acceptance.strong ? .strong : .weak
      case .retry(_, let after): self = .retry(after?.wholeSeconds)
      case .refused: self = .refused
      }
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let verdict: Verdict
    var headers: [Header] = []
    var step = "text"
    var testDescription: String { "\(status) \(body.prefix(60))" }
  }

  private func outcome(_ gateway: any Gateway, _ row: Case) -> Outcome {
    let step = Step(name: row.step, request: Request(method: "POST", url: "http://h"))
    return gateway.outcome(of: Sample.answer(row.status, row.body, row.headers), to: step)
  }

  private static let page = "\u{FEFF}\n <!DOCTYPE html><title>Log in</title>"
  /// Judged alike by every gateway.
  static let transient: [Case] = [
    Case(status: 301, body: "", verdict: .retry(nil)),
    Case(status: 302, body: page, verdict: .retry(nil)),
    Case(status: 307, body: "", verdict: .retry(nil)),
    Case(status: 200, body: page, verdict: .retry(nil)),
    Case(
      status: 200, body: "<p>Welcome", verdict: .retry(nil), headers: [Header("content-type", "Text/HTML")]),
    Case(status: 400, body: page, verdict: .retry(nil)),
    Case(status: 403, body: page, verdict: .retry(nil)),
    Case(status: 404, body: "", verdict: .retry(nil)),
    Case(status: 418, body: "{}", verdict: .retry(nil)),
    Case(status: 429, body: "", verdict: .retry(7), headers: [Header("retry-after", "7")]),
    Case(status: 500, body: "oops", verdict: .retry(nil)),
    Case(status: 503, body: "", verdict: .retry(86_400), headers: [Header("retry-after", "86400")]),
  ]
  static let gateways: [any Gateway] = [
    Webhook(
      url: "http://h", method: "POST", headers: [], body: .json, contentType: "application/json",
      accept: WebhookAccept()),
    WhatsApp(baseURL: "http://w", phoneNumberID: "1", accessToken: "tok", apiVersion: "v20.0", template: nil),
    Twilio(
      baseURL: "http://t", accountSID: "AC1", authToken: "s3cret", sender: .from("+1"), channel: .sms,
      contentSID: nil),
    CallMeBot(baseURL: "http://c", apiKey: "k"), Telegram(baseURL: "http://t", botToken: "1:tok"),
  ]

  @Test(arguments: transient) func everyGatewayTriesAgainAfter(_ row: Case) {
    for gateway in Self.gateways {
      #expect(Verdict(outcome(gateway, row)) == row.verdict, "\(type(of: gateway))")
    }
  }

  @Test(arguments: [
    Case(status: 200, body: #"{"ok":true,"result":{"message_id":5}}"#, verdict: .strong),
    Case(status: 200, body: #"{"ok":false,"error":"invalid_auth"}"#, verdict: .retry(nil)),
    Case(
      status: 400, body: #"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#,
      verdict: .refused),
    Case(
      status: 400, body: #"{"ok":false,"error_code":400,"description":"Bad Request: can't parse entities"}"#,
      verdict: .retry(nil)),
    Case(
      status: 403,
      body: #"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#,
      verdict: .refused),
    Case(
      status: 403, body: #"{"ok":false,"error_code":403,"description":"Proxy says no"}"#, verdict: .retry(nil)
    ),
    Case(
      status: 400, body: #"{"ok":false,"error_code":400,"parameters":{"migrate_to_chat_id":-1009}}"#,
      verdict: .refused),
    Case(
      status: 429, body: #"{"ok":false,"error_code":429,"parameters":{"retry_after":11}}"#,
      verdict: .retry(11), headers: [Header("retry-after", "3")]),
    Case(
      status: 429, body: #"{"ok":false,"error_code":429,"parameters":{"retry_after":-4}}"#,
      verdict: .retry(0)),
    Case(
      status: 401, body: #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#, verdict: .retry(nil)),
    Case(status: 200, body: "", verdict: .retry(nil)),
    Case(status: 200, body: #"{"ok":tr"#, verdict: .retry(nil)),
    Case(status: 200, body: "true", verdict: .retry(nil)),
  ])
  func telegram(_ row: Case) {
    #expect(Verdict(outcome(Telegram(baseURL: "http://t", botToken: "1:tok"), row)) == row.verdict)
  }

  private static let taken = #"{"messages":[{"id":"wamid.1","message_status":"accepted"}]}"#

  @Test(arguments: [
    Case(status: 200, body: taken, verdict: .weak),
    Case(status: 200, body: taken, verdict: .weak, step: "location"),
    Case(status: 200, body: taken, verdict: .strong, step: "template"),
    Case(
      status: 200, body: #"{"messages":[{"id":"w","message_status":"held_for_quality_assessment"}]}"#,
      verdict: .weak, step: "template"),
    Case(status: 200, body: #"{"messages":[]}"#, verdict: .retry(nil)),
    Case(status: 200, body: #"{"error":{"code":131026,"message":"Undeliverable"}}"#, verdict: .refused),
    Case(status: 400, body: #"{"error":{"code":131030}}"#, verdict: .refused),
    Case(status: 400, body: #"{"error":{"code":132012}}"#, verdict: .refused, step: "template"),
    Case(status: 401, body: #"{"error":{"code":190,"error_subcode":463}}"#, verdict: .retry(nil)),
    Case(status: 400, body: #"{"error":{"code":100}}"#, verdict: .retry(nil)),
    Case(status: 400, body: #"{"error":{"code":131056}}"#, verdict: .retry(6)),
    Case(status: 429, body: #"{"error":{"code":130429}}"#, verdict: .retry(nil)),
    Case(status: 500, body: #"{"error":"x"}"#, verdict: .retry(nil)),
  ])
  func whatsApp(_ row: Case) {
    let gateway = WhatsApp(
      baseURL: "http://w", phoneNumberID: "1", accessToken: "tok", apiVersion: "v20.0",
      template: WhatsAppTemplate(name: "n", language: "en"))

    #expect(Verdict(outcome(gateway, row)) == row.verdict)
  }

  private func twilio(_ channel: TwilioChannel, _ content: String?) -> Twilio {
    Twilio(
      baseURL: "http://t", accountSID: "AC1", authToken: "s3cret", sender: .from("+1"), channel: channel,
      contentSID: content)
  }

  @Test(arguments: [
    Case(status: 201, body: #"{"sid":"SM1","status":"queued"}"#, verdict: .strong),
    Case(status: 201, body: #"{"sid":"SM1","status":"failed","error_code":null}"#, verdict: .retry(nil)),
    Case(status: 201, body: #"{"sid":"SM1","status":"failed","error_code":30005}"#, verdict: .refused),
    Case(status: 201, body: #"{"status":"queued"}"#, verdict: .retry(nil)),
    Case(status: 400, body: #"{"code":21211,"message":"x","status":400}"#, verdict: .refused),
    Case(status: 400, body: #"{"code":21610}"#, verdict: .refused),
    Case(status: 400, body: #"{"code":21614}"#, verdict: .refused),
    Case(status: 400, body: #"{"code":63003}"#, verdict: .refused),
    Case(status: 400, body: #"{"code":63024}"#, verdict: .refused),
    Case(status: 401, body: #"{"code":20003,"message":"Authenticate"}"#, verdict: .retry(nil)),
    Case(status: 429, body: #"{"code":20429}"#, verdict: .retry(2), headers: [Header("retry-after", "2")]),
    Case(status: 500, body: #"{"code":20500}"#, verdict: .retry(nil)),
    Case(status: 400, body: #"{"code":99999}"#, verdict: .retry(nil)),
  ])
  func twilioOverSMS(_ row: Case) {
    #expect(Verdict(outcome(twilio(.sms, nil), row)) == row.verdict)
  }

  @Test func twilioOverWhatsAppProvesByTemplateOnly() {
    let row = Case(status: 201, body: #"{"sid":"SM1","status":"queued"}"#, verdict: .strong)

    #expect(outcome(twilio(.whatsapp, nil), row) == .accepted(Acceptance(strong: false, receipt: "SM1")))
    #expect(outcome(twilio(.whatsapp, "HX1"), row) == .accepted(Acceptance(strong: true, receipt: "SM1")))
    #expect(!twilio(.whatsapp, nil).canProve && twilio(.whatsapp, "HX1").canProve)
  }

  @Test func twilioTellsTheFate() {
    let gateway = twilio(.sms, nil)
    func fate(_ status: Int, _ body: String) -> Fate { gateway.fate(from: Sample.answer(status, body)) }

    #expect(
      gateway.fateRequest(for: "SM/1")?.url == "http://t/2010-04-01/Accounts/AC1/Messages/SM%2F1.json")
    #expect(fate(200, #"{"status":"delivered"}"#) == .delivered)
    #expect(fate(200, #"{"status":"read"}"#) == .delivered)
    for status in ["queued", "sending", "sent", "nonsense"] {
      #expect(fate(200, "{\"status\":\"\(status)\"}") == .unknown)
    }
    #expect(fate(404, #"{"code":20404,"status":404}"#) == .unknown)
    #expect(fate(200, "") == .unknown)
    #expect(
      fate(200, #"{"status":"undelivered","error_code":30006}"#)
        == .failed(.refused(reason: "a landline, or a carrier that cannot be reached (30006)")))
    guard case .failed(.retry) = fate(200, #"{"status":"failed","error_code":30003}"#) else {
      Issue.record("a phone that is off is no refusal")
      return
    }
  }

  @Test(arguments: [
    Case(status: 200, body: "<p>Message to: +62</p> Message queued. You will receive it", verdict: .weak),
    Case(status: 200, body: "Account is Paused. Message queued?", verdict: .refused),
    Case(status: 203, body: "APIKey is invalid", verdict: .refused),
    Case(status: 203, body: "Too many requests", verdict: .retry(nil)),
    Case(status: 208, body: "Message queued", verdict: .retry(nil)),
    Case(status: 200, body: "ok", verdict: .retry(nil)),
  ])
  func callMeBot(_ row: Case) {
    #expect(Verdict(outcome(CallMeBot(baseURL: "http://c", apiKey: "k"), row)) == row.verdict)
  }

  private func hook(_ accept: WebhookAccept) -> Webhook {
    Webhook(
      url: "https://user:pw@h.example:8443/a/{to}?k=1", method: "POST", headers: [], body: .json,
      contentType: "application/json", accept: accept)
  }

  @Test(arguments: [
    Case(status: 204, body: "", verdict: .strong), Case(status: 202, body: "", verdict: .strong),
    Case(status: 200, body: "ok", verdict: .strong, headers: [Header("content-type", "text/html")]),
    Case(status: 200, body: #"{"error":"x"}"#, verdict: .strong),
    Case(status: 410, body: #"{"error":"gone"}"#, verdict: .retry(nil)),
  ])
  func webhook(_ row: Case) {
    #expect(Verdict(outcome(hook(WebhookAccept()), row)) == row.verdict)
  }

  @Test func webhookMayDemandMore() {
    let accept = WebhookAccept(
      statuses: [200, 302], bodyContains: "id", jsonPath: ["a", "1", "b"], jsonEquals: .string("x"))
    func verdict(_ status: Int, _ body: String) -> Verdict {
      Verdict(outcome(hook(accept), Case(status: status, body: body, verdict: .strong)))
    }

    #expect(verdict(200, #"{"id":1,"a":[0,{"b":"x"}]}"#) == .strong)
    #expect(verdict(302, #"{"id":1,"a":[0,{"b":"x"}]}"#) == .strong)
    #expect(verdict(201, #"{"id":1,"a":[0,{"b":"x"}]}"#) == .retry(nil))
    #expect(verdict(200, #"{"i":1,"a":[0,{"b":"x"}]}"#) == .retry(nil))
    #expect(verdict(200, #"{"id":1,"a":[0,{"b":"y"}]}"#) == .retry(nil))
    #expect(verdict(200, #"{"id":1,"a":[0]}"#) == .retry(nil))
    #expect(verdict(200, "id") == .retry(nil))
  }

  @Test func webhookTooLongToReadIsJudgedByItsStatus() {
    let long = Response(status: 200, body: Array(repeating: 0x61, count: 65_536), truncated: true)
    let step = Step(name: "text", request: Request(method: "POST", url: "http://h"))

    #expect(hook(WebhookAccept()).outcome(of: long, to: step) == .accepted(Acceptance()))
    #expect(Verdict(hook(WebhookAccept(jsonPath: ["a"])).outcome(of: long, to: step)) == .retry(nil))
  }

  @Test func webhookNamesItsServerOnly() {
    #expect(hook(WebhookAccept()).baseURL == "https://h.example:8443")
  }

  @Test func reasonsHoldNoSecretNumberOrPlace() {
    let said =
      "The number +62 811-0000-000 at -6.175400, 106.827200\\n\\u202E with s3cret QUMxOnMzY3JldA== is bad "
      + String(repeating: "long ", count: 90)
    let row = Case(status: 400, body: #"{"code":12345,"message":"\#(said)"}"#, verdict: .retry(nil))

    let reason = outcome(twilio(.sms, nil), row).reason ?? ""

    #expect(reason.hasPrefix("The number +… at -… with *** *** is bad long"))
    #expect(reason.hasSuffix("… (12345)") && reason.count <= 130)
  }

  @Test func probesTellWhatIsWrong() {
    let telegram = Telegram(baseURL: "http://t", botToken: "1:tok")
    let whatsapp = WhatsApp(
      baseURL: "http://w", phoneNumberID: "1", accessToken: "tok", apiVersion: "v20.0", template: nil)
    let twilio = twilio(.sms, nil)

    #expect(telegram.probe?.url == "http://t/bot1:tok/getMe")
    #expect(whatsapp.probe?.url == "http://w/v20.0/1?fields=verified_name")
    #expect(twilio.probe?.url == "http://t/2010-04-01/Accounts/AC1.json")
    #expect(telegram.probeProblem(in: Sample.answer(200, #"{"ok":true,"result":{}}"#)) == nil)
    #expect(
      telegram.probeProblem(in: Sample.answer(401, #"{"ok":false,"description":"Unauthorized"}"#))
        == "bot token not accepted: Unauthorized")
    #expect(whatsapp.probeProblem(in: Sample.answer(200, #"{"id":"1"}"#)) == nil)
    #expect(whatsapp.probeProblem(in: Sample.answer(401, #"{"error":{"code":190}}"#)) != nil)
    #expect(twilio.probeProblem(in: Sample.answer(200, #"{"sid":"AC1","status":"active"}"#)) == nil)
    #expect(twilio.probeProblem(in: Sample.answer(200, #"{"sid":"AC1","status":"suspended"}"#)) != nil)
    #expect(twilio.probeProblem(in: Sample.answer(401, #"{"code":20003}"#)) != nil)
    for gateway in [telegram, whatsapp, twilio] as [any Gateway] {
      #expect(gateway.probeProblem(in: Sample.answer(200, Self.page)) != nil)
    }
  }
}
