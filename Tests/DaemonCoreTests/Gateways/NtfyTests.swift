import Foundation
import Testing

@testable import DaemonCore

extension OutcomeTable {
  private static let errors = "ntfy, server/errors.go"

  /// Source: docs.ntfy.sh/publish, docs.ntfy.sh/subscribe/api (the message that is answered), server/errors.go.
  static let ntfy = [
    Entry(
      kind: .ntfy, gateway: Ntfy(baseURL: "https://ntfy.sh", token: "tk_secret"),
      rows: [
        OutcomeRow(
          .success, 200,
          #"{"id":"xE73Iyuabi","time":1673542291,"expires":1673585491,"event":"message","topic":"t","message":"m"}"#,
          .strong, "docs.ntfy.sh/subscribe/api, JSON message format"),
        OutcomeRow(
          .unknown, 200, #"{"id":"","time":1,"event":"message","topic":"t"}"#, .later,
          "docs.ntfy.sh/subscribe/api: a message has an id"),
        OutcomeRow(
          .unknown, 200, #"{"id":"a","time":1,"event":"open","topic":"t"}"#, .later,
          "docs.ntfy.sh/subscribe/api: an event that is no message"),
        OutcomeRow(
          .recipient, 400, #"{"code":40009,"http":400,"error":"invalid request: topic invalid"}"#, .refused,
          errors),
        OutcomeRow(
          .recipient, 400, #"{"code":40010,"http":400,"error":"invalid request: topic name is disallowed"}"#,
          .refused, errors),
        OutcomeRow(
          .recipient, 403,
          #"{"code":40301,"http":403,"error":"forbidden"}"#,
          .refused, errors),
        OutcomeRow(
          .credentials, 401, #"{"code":40101,"http":401,"error":"unauthorized"}"#, .later, errors),
        OutcomeRow(
          .rateLimit, 429,
          #"{"code":42901,"http":429,"error":"limit reached: too many requests, please be nice"}"#, .later,
          errors),
        OutcomeRow(
          .rateLimit, 429, #"{"code":42908,"http":429,"error":"limit reached: too many messages"}"#, .later,
          errors),
        OutcomeRow(
          .error, 400,
          #"{"code":40017,"http":400,"error":"invalid request: request body must be message JSON"}"#,
          .later, errors),
        OutcomeRow(.error, 413, #"{"code":41303,"http":413,"error":"JSON body too large"}"#, .later, errors),
        OutcomeRow(
          .error, 413,
          #"{"code":41301,"http":413,"error":"attachment too large, or bandwidth limit reached"}"#,
          .later, errors),
        OutcomeRow(
          .error, 400, #"{"code":40007,"http":400,"error":"invalid priority parameter"}"#, .later, errors),
        OutcomeRow(
          .error, 400, #"{"code":40011,"http":400,"error":"invalid message: message must be UTF-8 encoded"}"#,
          .later, errors),
        OutcomeRow(
          .error, 400, #"{"code":40018,"http":400,"error":"invalid request: actions invalid"}"#, .later,
          errors),
        OutcomeRow(.error, 404, #"{"code":40401,"http":404,"error":"page not found"}"#, .later, errors),
        OutcomeRow(
          .error, 500, #"{"code":50001,"http":500,"error":"internal server error"}"#, .later, errors),
      ] + OutcomeRow.broken(200, #"{"id":"xE73Iyuabi","time":1673542291,"event":"message","topic":"t"}"#))
  ]
}

@Suite struct NtfyTests {
  private let gateway = Ntfy(baseURL: "https://ntfy.sh", token: "tk_1")

  private func document(_ message: Message) throws -> JSON {
    try #require(gateway.steps(for: message)[0].request.body.flatMap { JSON(parsing: $0) })
  }

  @Test func sendsOneDocument() throws {
    let request = gateway.steps(for: Sample.message(to: "help", text: GatewayRequestTests.odd))[0].request

    #expect(request.method == "POST" && request.url == "https://ntfy.sh/")
    #expect(
      request.headers == [Header("Authorization", "Bearer tk_1"), Header("Content-Type", "application/json")])
    let sent = try #require(request.body.flatMap { JSON(parsing: $0) })
    #expect(sent["topic"] == .string("help") && sent["message"] == .string(GatewayRequestTests.odd))
    #expect(sent["title"] == .string("Ayu") && sent["priority"] == .integer(5))
    #expect(sent["click"] == .string("https://maps.google.com/?q=-6.175400,106.827200"))
    #expect(Ntfy(baseURL: "h", token: nil).steps(for: Sample.message())[0].request.headers.count == 1)
  }

  @Test func wakesPeopleForACallOnly() throws {
    var update = Sample.message(kind: .update)
    #expect(try document(update)["priority"] == .integer(3))
    update.composition.reason = .pressedAgain
    #expect(try document(update)["priority"] == .integer(5))
    let clear = try document(Sample.message(kind: .allClear))
    #expect(clear["priority"] == .integer(3) && clear["click"] == nil)
    #expect(try document(Sample.message(kind: .drill))["tags"] == nil)
  }

  /// At 4096 bytes ntfy makes an attachment of the text, and of the whole document it reads 8192.
  @Test(arguments: ["é", "\"", "\n", "👨‍👩‍👧"]) func isNeverAnAttachment(_ filling: String) throws {
    let request = gateway.steps(for: Sample.message(text: String(repeating: filling, count: 5000)))[0].request
    let text = try #require(request.body.flatMap { JSON(parsing: $0) }?["message"]?.string)

    #expect(text.utf8.count < 4096 && (request.body?.count ?? 0) < 8192)
    #expect(text.contains("-6.175400, 106.827200"))
  }

  @Test(arguments: [
    ("help-7f3k_A", true), ("", false), ("a/b", false), ("é", false),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
  ])
  func aTopicIsCheckedBeforeItIsNeeded(topic: String, isOne: Bool) {
    let result = ConfigSample.decode(
      ConfigSample.gateway(#""type":"ntfy""#, route: "\"to\":\"\(topic)\""))

    #expect((result.config != nil) == isOne)
    #expect(isOne || result.problems.map(\.key) == ["contacts[0].routes[0].to"])
  }

  @Test func theTokenIsProven() {
    let anyone = Ntfy(baseURL: "https://h", token: nil)
    let fine = #"{"username":"phil","role":"user"}"#

    #expect(gateway.probe?.url == "https://ntfy.sh/v1/account")
    #expect(anyone.probe?.url == "https://h/v1/health")
    #expect(gateway.probeProblem(in: Sample.answer(200, fine)) == nil)
    #expect(
      gateway.probeProblem(in: Sample.answer(401, #"{"code":40101,"http":401,"error":"unauthorized"}"#))
        == "access token not accepted (40101)")
    #expect(anyone.probeProblem(in: Sample.answer(200, #"{"healthy":true}"#)) == nil)
    #expect(anyone.probeProblem(in: Sample.answer(200, #"{"healthy":false}"#)) != nil)
    #expect(anyone.probeProblem(in: Sample.answer(200, "<html>")) != nil)
  }
}
