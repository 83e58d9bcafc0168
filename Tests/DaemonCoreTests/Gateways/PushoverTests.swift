import Foundation
import Testing

@testable import DaemonCore

extension OutcomeTable {
  private static let api = "pushover.net/api"
  private static let friendly = "pushover.net/api, being friendly to our API"

  static let pushover = [
    Entry(
      kind: .pushover,
      gateway: Pushover(baseURL: "https://api.pushover.net", token: "azGDORePK8gMaC0QOYAMyEEuzJnyUi"),
      rows: [
        OutcomeRow(
          .success, 200,
          #"{"status":1,"request":"e460545a8b333d0da2f3602aff3133d6","receipt":"rLqVuqTRh62UzxtmqiaLzQmVcPgiCy"}"#,
          .strong, "pushover.net/api/receipts"),
        OutcomeRow(
          .success, 200, #"{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}"#, .strong,
          "\(api), response format"),
        OutcomeRow(
          .success, 200, #"{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}"#, .weak,
          "pushover.net/api/receipts, canceling", step: "cancel"),
        OutcomeRow(
          .recipient, 400,
          #"{"user":"invalid","errors":["user identifier is not a valid user, group, or subscribed user key"],"#
            + #""status":0,"request":"3cf7ebfd-6f23-4fee-8189-790a08e96892"}"#, .refused,
          "recorded from api.pushover.net by others' tests, among them ElMassimo/pushover"),
        OutcomeRow(
          .recipient, 400, #"{"user":"invalid","errors":["user identifier is invalid"],"status":0}"#,
          .refused,
          "\(api), response format"),
        OutcomeRow(
          .credentials, 400,
          #"{"token":"invalid","errors":["application token is invalid"],"status":0,"request":"2e8c0c49"}"#,
          .later, "recorded from api.pushover.net by others' tests"),
        OutcomeRow(
          .credentials, 400,
          #"{"token":"invalid","user":"invalid","errors":["application token is invalid"],"status":0}"#,
          .later,
          "\(api): both at fault; the token comes first"),
        OutcomeRow(
          .rateLimit, 429,
          #"{"status":0,"errors":["application is over its quota and cannot send more messages this month"]}"#,
          .later, "\(api), limitations: 429"),
        OutcomeRow(
          .error, 400, #"{"message":"cannot be blank","errors":["message cannot be blank"],"status":0}"#,
          .later,
          "\(api), response format"),
        OutcomeRow(
          .error, 400, #"{"retry":"is too small","errors":["retry must be at least 30"],"status":0}"#, .later,
          "\(api)/receipts, parameters"),
        OutcomeRow(.error, 500, #"{"status":0,"errors":["internal server error"]}"#, .later, friendly),
        OutcomeRow(.unknown, 200, #"{"request":"x"}"#, .later, "\(api), response format: status is required"),
        OutcomeRow(.unknown, 200, #"{"status":0}"#, .later, "\(api), response format: 1 is success"),
      ] + OutcomeRow.broken(200, #"{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}"#))
  ]
}

@Suite struct PushoverTests {
  private let gateway = Pushover(baseURL: "https://p", token: "apptok", retry: .seconds(45))
  private static let user = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG"

  private func fields(_ message: Message, step: Int = 0) -> [String: String] {
    GatewayRequestTests.form(gateway.steps(for: message)[step].request)
  }

  @Test func aCallForHelpComesUntilSomeoneAnswers() {
    let message = Sample.message(to: Self.user, text: GatewayRequestTests.odd)

    #expect(gateway.steps(for: message).map(\.request.url) == ["https://p/1/messages.json"])
    #expect(
      fields(message) == [
        "token": "apptok", "user": Self.user, "message": GatewayRequestTests.odd, "title": "Ayu",
        "priority": "2", "retry": "45", "expire": "10800", "tags": "01J",
        "url": "https://maps.google.com/?q=-6.175400,106.827200",
      ])
  }

  @Test func whatFollowsDoesNotRingForHours() {
    #expect(fields(Sample.message(kind: .update))["priority"] == "1")
    #expect(fields(Sample.message(kind: .update))["retry"] == nil)
    #expect(fields(Sample.message(kind: .drill))["priority"] == "2")
  }

  @Test func anAllClearEndsTheRinging() {
    let clear = Sample.message(kind: .allClear)

    #expect(gateway.steps(for: clear).map(\.name) == ["text", "cancel"])
    #expect(gateway.steps(for: clear)[1].request.url == "https://p/1/receipts/cancel_by_tag/01J.json")
    #expect(fields(clear)["priority"] == "0" && fields(clear)["url"] == nil)
    #expect(fields(clear, step: 1) == ["token": "apptok"])
  }

  @Test func theReceiptTellsWhetherSomeoneAnswered() {
    let row = OutcomeTable.pushover[0].rows[0]
    let step = gateway.steps(for: Sample.message())[0]
    func fate(_ body: String) -> Fate { gateway.fate(from: Sample.answer(200, body)) }

    #expect(
      gateway.outcome(of: row.response, to: step)
        == .accepted(Acceptance(receipt: "rLqVuqTRh62UzxtmqiaLzQmVcPgiCy")))
    #expect(gateway.fateRequest(for: "r/1")?.url == "https://p/1/receipts/r%2F1.json?token=apptok")
    #expect(fate(#"{"status":1,"acknowledged":1,"acknowledged_at":1360019238,"expired":0}"#) == .acknowledged)
    #expect(fate(#"{"status":1,"acknowledged":0,"expired":1}"#) == .unknown)
    #expect(fate(#"{"status":0,"acknowledged":1}"#) == .unknown)
    #expect(fate("") == .unknown)
  }

  @Test func textFitsInPushoversOwnUnit() {
    let text = fields(Sample.message(text: String(repeating: "🆘", count: 2000)))["message"]

    #expect((1000...1024).contains(text?.unicodeScalars.count ?? 0))
  }

  @Test(arguments: [(user, true), ("mum", false), ("uQiRzpo4DXghDmr9QzzfQu27cmVRs-", false)])
  func aKeyHasThirtyCharacters(key: String, isOne: Bool) {
    let result = ConfigSample.decode(
      ConfigSample.gateway(#""type":"pushover","token":"t""#, route: "\"to\":\"\(key)\""))

    #expect((result.config != nil) == isOne, "\(result.problems)")
  }

  @Test func tokenAndKeysAreProvenWithoutAMessage() {
    func problem(_ status: Int, _ body: String) -> String? {
      gateway.probeProblem(in: Sample.answer(status, body))
    }
    let check = gateway.recipientProbe(for: Self.user)
    func user(_ status: Int, _ body: String) -> String? {
      gateway.recipientProblem(in: Sample.answer(status, body), for: Self.user)
    }

    #expect(gateway.probe?.url == "https://p/1/apps/limits.json?token=apptok")
    #expect(problem(200, #"{"limit":10000,"remaining":7496,"reset":1393653600,"status":1}"#) == nil)
    #expect(problem(200, #"{"limit":10000,"remaining":0,"status":1}"#)?.contains("spent") == true)
    #expect(
      problem(400, #"{"token":"invalid","errors":["x"],"status":0}"#) == "application token not accepted")
    #expect(check?.url == "https://p/1/users/validate.json" && check?.method == "POST")
    #expect(user(200, #"{"status":1,"group":0,"devices":["iphone"]}"#) == nil)
    #expect(user(400, #"{"user":"invalid","errors":["x"],"status":0}"#)?.contains("does not know") == true)
    #expect(user(200, "<html>") != nil)
  }
}
