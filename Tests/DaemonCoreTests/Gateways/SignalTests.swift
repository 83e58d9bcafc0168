import Foundation
import Testing

@testable import DaemonCore

extension OutcomeTable {
  private static let api = "signal-cli-rest-api, src/api/api.go, SendV2"
  private static let issues = "bbernhard/signal-cli-rest-api, issue"
  private static let limited =
    "Failed to send message due to rate limiting. Use the attached challenge tokens to lift the rate limit "
    + "restrictions via the '/v1/accounts/{number}/rate-limit-challenge' endpoint."

  static let signal = [
    Entry(
      kind: .signal, gateway: Signal(baseURL: "http://s", number: "+628110000001", token: "s3cret"),
      rows: [
        OutcomeRow(.success, 201, #"{"timestamp":"1697566654816"}"#, .strong, api),
        OutcomeRow(.success, 201, #"{"timestamp":1697566654816}"#, .strong, "\(issues) 412: the number bare"),
        OutcomeRow(.unknown, 201, #"{"timestamp":""}"#, .later, api),
        OutcomeRow(.unknown, 200, #"{"timestamp":"1697566654816"}"#, .later, "\(api): 201 and no other"),
        OutcomeRow(
          .recipient, 400, #"{"error":"Failed to send message due to untrusted identities"}"#, .refused,
          "\(issues) 679"),
        OutcomeRow(
          .recipient, 400, #"{"error":"Unregistered user \"+628110000000\""}"#, .refused,
          "signal-cli, SendMessageResultUtils"),
        OutcomeRow(
          .recipient, 400, #"{"error":"Invalid group id: abc"}"#, .refused,
          "signal-cli, GroupIdFormatException"),
        OutcomeRow(
          .credentials, 400, #"{"error":"User +628110000001 is not registered"}"#, .later, "\(issues) 528"),
        OutcomeRow(
          .credentials, 401, "", .later, "RFC 9110 §15.5.2: the proxy before the server wants a token"),
        OutcomeRow(
          .credentials, 400, #"{"error":"Specified account does not exist"}"#, .later,
          "signal-cli, JsonRpcReader"),
        OutcomeRow(
          .rateLimit, 429,
          "{\"error\":\"\(limited)\",\"challenge_tokens\":[\"5f1b\"],\"account\":\"+628110000001\"}",
          .refused,
          api),
        OutcomeRow(
          .rateLimit, 429,
          "{\"error\":\"\(limited)\",\"challenge_tokens\":[\"\"],\"account\":\"+628110000001\"}", .later,
          "\(issues) 881: nothing to solve"),
        OutcomeRow(.error, 400, #"{"error":"Couldn't process request - invalid request"}"#, .later, api),
        OutcomeRow(.error, 400, #"{"error":"Failed to send message"}"#, .later, "\(issues) 692"),
      ] + OutcomeRow.broken(201, #"{"timestamp":"1697566654816"}"#))
  ]
}

@Suite struct SignalTests {
  private let gateway = Signal(baseURL: "http://s", number: "+628110000001")

  @Test func sendsOneTextToOneContact() throws {
    let request = gateway.steps(for: Sample.message(text: GatewayRequestTests.odd))[0].request

    #expect(request.method == "POST" && request.url == "http://s/v2/send")
    #expect(request.headers == [Header("Content-Type", "application/json")])
    #expect(
      request.body.flatMap { JSON(parsing: $0) }
        == .fields([
          ("message", .string(GatewayRequestTests.odd)), ("number", .string("+628110000001")),
          ("recipients", .array([.string("+628110000000")])), ("text_mode", .string("normal")),
        ]))
    let guarded = Signal(baseURL: "http://s", number: "+1", token: "t").steps(for: Sample.message())[0]
    #expect(guarded.request.headers.first == Header("Authorization", "Bearer t"))
  }

  @Test func isNeverAnAttachment() throws {
    let message = Sample.message(text: String(repeating: "🆘", count: 3000))
    let body = gateway.steps(for: message)[0].request.body.flatMap { JSON(parsing: $0) }

    #expect((1900...2000).contains(try #require(body?["message"]?.string).utf8.count))
  }

  @Test(arguments: [
    ("+62 811 0000 000", true), ("group.ckRzaEd4VmRzNnJaASAEsasa", true), ("group.", false),
    ("group.a b c", false),
    ("mum", false),
  ])
  func addressesAreNumbersAndGroups(to: String, isOne: Bool) {
    let result = ConfigSample.decode(
      ConfigSample.gateway(
        #""type":"signal","url":"http://localhost:8080","number":"+628110000001""#, route: "\"to\":\"\(to)\"")
    )

    #expect((result.config != nil) == isOne, "\(result.problems)")
  }

  @Test func numbersAreProvenWithoutAMessage() {
    func problem(_ status: Int, _ body: String) -> String? {
      gateway.probeProblem(in: Sample.answer(status, body))
    }
    func contact(_ status: Int, _ body: String) -> String? {
      gateway.recipientProblem(in: Sample.answer(status, body), for: "+628110000000")
    }

    #expect(gateway.probe?.url == "http://s/v1/accounts")
    #expect(problem(200, #"["+628110000001"]"#) == nil)
    #expect(problem(200, "[]") == "the server has not registered the gateway's number")
    #expect(problem(400, #"{"error":"no"}"#) == "no")
    #expect(
      gateway.recipientProbe(for: "+628110000000")?.url
        == "http://s/v1/search/%2B628110000001?numbers=%2B628110000000")
    #expect(gateway.recipientProbe(for: "group.YWJj") == nil)
    #expect(contact(200, #"[{"number":"+628110000000","registered":true}]"#) == nil)
    #expect(
      contact(200, #"[{"number":"+628110000000","registered":false}]"#) == "this number is not on Signal")
    #expect(contact(200, "[]") != nil)
  }
}
