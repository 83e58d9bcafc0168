import Testing

@testable import DaemonCore

/// What the gateways read in answers.
@Suite struct GatewayOutcomeTests {
  private typealias Verdict = OutcomeRow.Verdict

  private func outcome(_ gateway: any Gateway, _ status: Int, _ body: String) -> Outcome {
    let step = Step(name: "text", request: Request(method: "POST", url: "http://h"))
    return gateway.outcome(of: Sample.answer(status, body), to: step)
  }

  private static let page = "\u{FEFF}\n <!DOCTYPE html><title>Log in</title>"
  private func twilio(_ channel: TwilioChannel, _ content: String?) -> Twilio {
    Twilio(
      baseURL: "http://t", accountSID: "AC1", authToken: "s3cret", sender: .from("+1"), channel: channel,
      contentSID: content)
  }

  @Test func twilioOverWhatsAppProvesByTemplateOnly() {
    let body = #"{"sid":"SM1","status":"queued"}"#

    #expect(
      outcome(twilio(.whatsapp, nil), 201, body) == .accepted(Acceptance(strong: false, receipt: "SM1")))
    #expect(
      outcome(twilio(.whatsapp, "HX1"), 201, body) == .accepted(Acceptance(strong: true, receipt: "SM1")))
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

  private func hook(_ accept: WebhookAccept) -> Webhook {
    Webhook(
      url: "https://user:pw@h.example:8443/a/{to}?k=1", method: "POST", headers: [], body: .json,
      contentType: "application/json", accept: accept)
  }

  @Test func webhookMayDemandMore() {
    let accept = WebhookAccept(
      statuses: [200, 302], bodyContains: "id", jsonPath: ["a", "1", "b"], jsonEquals: .string("x"))
    func verdict(_ status: Int, _ body: String) -> Verdict {
      Verdict(outcome(hook(accept), status, body))
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

    let reason = outcome(twilio(.sms, nil), 400, #"{"code":12345,"message":"\#(said)"}"#).reason ?? ""

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
    #expect(
      twilio.probeProblem(in: Sample.answer(200, #"{"sid":"AC1","status":""}"#))
        == "the Twilio account is in no known state")
    #expect(twilio.probeProblem(in: Sample.answer(200, #"{"sid":"AC1","status":"suspended"}"#)) != nil)
    #expect(twilio.probeProblem(in: Sample.answer(401, #"{"code":20003}"#)) != nil)
    for gateway in [telegram, whatsapp, twilio] as [any Gateway] {
      #expect(gateway.probeProblem(in: Sample.answer(200, Self.page)) != nil)
    }
  }
}
