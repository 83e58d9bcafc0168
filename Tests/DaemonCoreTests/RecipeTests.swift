import Foundation
import Testing

@testable import DaemonCore

/// What soteria.json(5) shows can be copied as it stands there, and tells its service's truth.
@Suite struct RecipeTests {
  static let names = (try? ManualPage("soteria.json.5").names(of: "recipe")) ?? []

  /// The configuration of a recipe, with every secret it names standing in.
  static func config(_ name: String) throws -> Config {
    let block = try #require(try ManualPage("soteria.json.5").block(named: name, of: "recipe"))
    let text = "{ \(block) }"
    let references = ConfigSample.decode(text).references
    let secrets = Dictionary(references.map { ($0, SecretLookup.value("s3cret")) }) { first, _ in first }
    let result = ConfigSample.decode(text, secrets)
    #expect(result.problems.isEmpty, "\(name): \(result.problems)")
    return try #require(result.config, "\(name): \(result.problems)")
  }

  /// The gateway of a recipe's first route, and a message by that route.
  static func first(_ name: String) throws -> (gateway: any Gateway, to: String?) {
    let config = try config(name)
    let route = try #require(config.contacts.first?.routes.first)
    return (try #require(config.gateways.named(route.gateway)?.gateway), route.to)
  }

  private func request(_ name: String, text: String = GatewayRequestTests.odd) throws -> DaemonCore.Request {
    let (gateway, to) = try Self.first(name)
    return try #require(gateway.steps(for: Sample.message(to: to, text: text)).first).request
  }

  @Test(arguments: names) func everyOneIsGood(_ name: String) throws {
    #expect(try request(name).url.hasPrefix("http"))
  }

  @Test func everyGatewayOfTheManualIsShownOrNamed() {
    let others = ["gotify", "kannel", "vonage", "owntracks", "home-assistant"]
    let kinds = GatewayKind.allCases.filter { $0 != .webhook }.map(\.rawValue)
    #expect(Set(others + kinds).subtracting(Self.names).sorted() == [])
    #expect(Set(Self.names).count == Self.names.count)
  }

  @Test func everyPlaceholderIsDescribed() throws {
    let page = try ManualPage("soteria.json.5").lines.joined(separator: "\n")
    for name in WebhookPlaceholder.allCases { #expect(page.contains("{\(name.rawValue)}"), "\(name)") }
  }

  @Test func gotifyGetsItsThreeFields() throws {
    let request = try request("gotify")

    #expect(request.headers.contains(Header("X-Gotify-Key", "s3cret")))
    #expect(
      request.body.flatMap { JSON(parsing: $0) }
        == .fields([
          ("title", .string("Ayu")), ("message", .string(GatewayRequestTests.odd)),
          ("priority", .integer(10)),
        ]))
  }

  @Test func kannelGetsEverythingInTheURL() throws {
    let request = try request("kannel")
    let items = try #require(URLComponents(string: request.url)?.queryItems)

    #expect(request.method == "GET" && request.body == nil)
    #expect(request.headers.map(\.name) == ["Idempotency-Key"])
    #expect(items.first { $0.name == "to" }?.value == "+628110000000")
    #expect(items.first { $0.name == "text" }?.value == GatewayRequestTests.odd)
    let long = try #require(
      URLComponents(string: self.request("kannel", text: String(repeating: "ê", count: 4000)).url))
    let text = try #require(long.queryItems?.first { $0.name == "text" }?.value)
    #expect(ShortMessage.segments(of: text) == 6 && text.contains("-6.175400, 106.827200"))
    #expect(text.utf16.count <= 6 * 67)
  }

  @Test func vonageGetsAForm() throws {
    let request = try request("vonage")

    #expect(request.headers.contains(Header("Authorization", "s3cret")))
    #expect(
      GatewayRequestTests.form(request) == [
        "from": "Soteria", "to": "628110000000", "type": "unicode", "text": GatewayRequestTests.odd,
      ])
  }

  @Test func ownTracksGetsThePlaceWithItsTimeOrNone() throws {
    let sent = try request("owntracks").body.flatMap { JSON(parsing: $0) }
    let (gateway, _) = try Self.first("owntracks")
    let blind = gateway.steps(for: Sample.message(position: .unknown))[0].request.body

    #expect(sent?["lat"]?.double == -6.1754 && sent?["lon"]?.double == 106.8272)
    #expect(sent?["tst"]?.integer == 1_796_004_846 && sent?["created_at"]?.integer == 1_796_004_847)
    #expect(blind.flatMap { JSON(parsing: $0) }?["lat"] == .null)
  }

  @Test func homeAssistantGetsACriticalNotification() throws {
    let request = try request("home-assistant")
    let sent = request.body.flatMap { JSON(parsing: $0) }

    #expect(request.url == "https://home.example.org/api/services/notify/mobile_app_mums_phone")
    #expect(sent?["message"] == .string(GatewayRequestTests.odd))
    #expect(sent?["data"]?["push"]?["sound"]?["critical"]?.integer == 1)
  }

  // MARK: truth

  struct Truth: Sendable, CustomTestStringConvertible {
    let recipe: String
    let rows: [OutcomeRow]
    var testDescription: String { recipe }
  }

  private static func vonage(_ statuses: [String]) -> String {
    let parts = statuses.map { #"{"to":"628","status":"\#($0)","error-text":"x"}"# }.joined(separator: ",")
    return #"{"message-count":"\#(statuses.count)","messages":[\#(parts)]}"#
  }

  private static let sms = "developer.vonage.com/messaging/sms/guides/troubleshooting-sms"
  private static let kannel = "kannel 1.4.5, recorded; PeerTests.KannelPeerTests asks it again"
  private static let hass = "developers.home-assistant.io/docs/api/rest"

  static let truths = [
    Truth(
      recipe: "gotify",
      rows: [
        OutcomeRow(
          .success, 200, #"{"id":25,"appid":5,"message":"m","title":"t","priority":10,"date":"2026-11-30"}"#,
          .strong, "gotify.net/api-docs, createMessage"),
        OutcomeRow(
          .credentials, 401,
          #"{"error":"Unauthorized","errorCode":401,"errorDescription":"you need to provide a valid token"}"#,
          .later, "gotify.net/api-docs, Error"),
        OutcomeRow(
          .error, 400, #"{"error":"Bad Request","errorCode":400,"errorDescription":"x"}"#, .later,
          "gotify.net/api-docs, Error"),
      ] + OutcomeRow.broken(200, #"{"id":25,"appid":5,"message":"m"}"#)),
    Truth(
      recipe: "kannel",
      rows: [
        OutcomeRow(
          .success, 202, "0: Accepted for delivery", .strong, kannel,
          headers: [Header("content-type", "text/html")]),
        OutcomeRow(.success, 202, "3: Queued for later delivery", .strong, "Kannel's user guide, sendsms"),
        OutcomeRow(.credentials, 403, "Authorization failed for sendsms", .later, kannel),
        OutcomeRow(.recipient, 400, "Missing receiver number, rejected", .later, kannel),
        OutcomeRow(.error, 404, "Service specified does not exist", .later, "Kannel's user guide, sendsms"),
        OutcomeRow(.error, 503, "Temporal failure, try again later.", .later, "Kannel's user guide, sendsms"),
        OutcomeRow(.unknown, 200, "Sent.", .later, "Kannel before 1.4 said so of what it dropped"),
      ] + OutcomeRow.broken(202, nil)),
    Truth(
      recipe: "vonage",
      rows: [
        OutcomeRow(.success, 200, vonage(["0"]), .strong, sms),
        OutcomeRow(.success, 200, vonage(["0", "0", "0"]), .strong, sms),
        OutcomeRow(.error, 200, vonage(["0", "5", "0"]), .later, "\(sms): a part was lost"),
        OutcomeRow(.rateLimit, 200, vonage(["1"]), .later, "\(sms), 1 Throttled"),
        OutcomeRow(.credentials, 200, vonage(["4"]), .later, "\(sms), 4 Invalid Credentials"),
        OutcomeRow(.error, 200, vonage(["9"]), .later, "\(sms), 9 Partner quota violation"),
        OutcomeRow(.recipient, 200, vonage(["3"]), .later, "\(sms), 3 Invalid Parameters"),
        OutcomeRow(.unknown, 200, vonage([]), .later, "\(sms): no part at all"),
      ] + OutcomeRow.broken(200, vonage(["0"]))),
    Truth(
      recipe: "owntracks",
      rows: [
        OutcomeRow(.success, 200, "[]", .weak, "owntracks.org/booklet/tech/http: an array of friends"),
        OutcomeRow(
          .success, 200, #"[{"_type":"card","tid":"mu"}]"#, .weak, "owntracks.org/booklet/tech/http"),
        OutcomeRow(.credentials, 401, "", .later, "owntracks.org/booklet/tech/http, Basic"),
        OutcomeRow(.empty, 200, "", .later, "owntracks.org/booklet/tech/http: at least []"),
        OutcomeRow(.truncated, 200, "[", .later, "RFC 9112 §8"),
      ] + OutcomeRow.broken(200, nil)),
    Truth(
      recipe: "home-assistant",
      rows: [
        OutcomeRow(.success, 200, "[]", .strong, "\(hass), services: the states that changed"),
        OutcomeRow(.credentials, 401, "401: Unauthorized", .later, hass),
        OutcomeRow(.recipient, 400, "400: Bad Request", .later, "\(hass): no such service"),
        OutcomeRow(.error, 500, "500 Internal Server Error", .later, hass),
        OutcomeRow(.empty, 200, "", .later, "home-assistant.io/docs/automation/trigger: webhooks answer so"),
        OutcomeRow(.truncated, 200, "[", .later, "RFC 9112 §8"),
      ] + OutcomeRow.broken(200, nil)),
  ]

  @Test(arguments: truths) func tellsItsServicesTruth(_ truth: Truth) throws {
    let (gateway, _) = try Self.first(truth.recipe)
    for row in truth.rows {
      let step = Step(name: row.step, request: Request(method: "POST", url: "http://h"))
      let outcome = gateway.outcome(of: row.response, to: step)
      #expect(
        OutcomeRow.Verdict(outcome) == row.verdict, "\(truth.recipe) \(row.testDescription): \(outcome)")
    }
  }

  @Test func aMapAloneIsWarnedOf() {
    let hook = #""hook":{"type":"webhook","url":"https://h","accept":{"proves":false}}"#
    let problems = ConfigSample.decode("{\"gateways\":{\(hook)},\(ConfigSample.mum)}").problems

    #expect(problems.map(\.key) == ["contacts[0].routes"])
  }

  @Test func anUnknownPlaceholderInTheURLIsAnError() {
    let text = ConfigSample.gateway(
      #""type":"webhook","url":"https://h/S3CRET?a={txt}""#, route: "")
    let problems = ConfigSample.decode(text).problems

    #expect(problems.map(\.key) == ["gateways.g.url"])
    #expect(problems.allSatisfy { !$0.text.contains("S3CRET") && $0.text.contains("{text}") })
  }

  /// CONTRIBUTING.md shows how a gateway is made on lines that are really there.
  @Test func theExampleOfAGatewayIsARealOne() throws {
    func lines(_ path: String) throws -> [String] {
      String(decoding: try ConfigSample.file(path), as: UTF8.self).components(separatedBy: "\n")
    }
    let guide = try lines("CONTRIBUTING.md")
    let sources = try Set(
      [
        "Sources/DaemonCore/Gateways/Ntfy.swift", "Tests/DaemonCoreTests/Gateways/NtfyTests.swift",
        "man/soteria.json.5",
      ].flatMap { try lines($0) })
    let start = try #require(guide.firstIndex { $0.hasPrefix("**A new gateway**") })
    let end = try #require(guide.firstIndex { $0.hasPrefix("**A new language**") })
    var (isCode, shown) = (false, 0)
    for line in guide[start..<end] {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        shown += 1
        #expect(sources.contains(line), "\(line)")
      }
    }
    #expect(shown > 10)
  }
}
