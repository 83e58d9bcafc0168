import Foundation
import Testing

@testable import DaemonCore

/// A good text becomes a Config; of a bad one every problem is told.
@Suite struct ConfigDecoderTests {
  @Test func everyKeyArrives() throws {
    let result = ConfigSample.decode(
      ConfigSample.complete, [.file("/etc/key"): .value("Bearer k"), .credential("twilio"): .value("tok")])
    let config = try #require(result.config, "\(result.problems)")

    #expect(result.problems.isEmpty)
    #expect(config.wearer.name == "Ayu" && config.wearer.language == .indonesian)
    #expect(config.gps.host == "127.0.0.1" && config.gps.port == 2948)
    #expect(config.gps.staleAfter == .seconds(45))
    var button = ButtonSettings(line: .offset(17))
    button.chip = "pinctrl-bcm2711"
    button.activeLow = false
    button.bias = .asIs
    button.debounce = .milliseconds(25)
    button.hold = .milliseconds(100)
    button.presses = 2
    button.within = .seconds(3)
    #expect(config.button == button)
    #expect(config.alert.text?.pieces.count == 5)
    #expect(config.alert.map == .osm && config.alert.cancelWindow == .seconds(5))
    #expect(config.alert.openFor == .seconds(3600))
    #expect(config.alert.updates?.every == .seconds(120))
    #expect(config.alert.updates?.during == .seconds(1200))
    #expect(config.gateways.map(\.name) == ConfigSample.gateways.map(\.key))
    #expect(config.gateways[0].timeout == .seconds(9) && config.gateways[0].caFile == "/etc/ca.pem")
    let hook = try #require(config.gateways[0].gateway as? Webhook)
    #expect(hook.headers == [Header("Authorization", "Bearer k"), Header("X-A", "b")])
    #expect(hook.method == "PUT" && hook.accept.statuses == [200, 202])
    #expect(hook.accept.jsonPath == ["a", "b"] && hook.accept.jsonEquals == .string("x"))
    #expect(hook.limit == .bytes(900) && hook.accept.proves)
    let sms = try #require(config.gateways[2].gateway as? Twilio)
    #expect(sms.authToken == "tok" && sms.sender == .from("+15005550006"))
    let loud = try #require(config.gateways.named("loud")?.gateway as? Pushover)
    #expect(loud.retry == .seconds(30) && loud.expire == .seconds(3600))
    let signal = try #require(config.gateways.named("sig")?.gateway as? Signal)
    #expect(signal.number == "+628110000001" && signal.token == "t")
    #expect(config.contacts.map(\.id) == ["m", "bo"])
    #expect(config.contacts.map(\.language) == [.english, .indonesian])
    #expect(
      config.contacts[0].routes.map(\.to) == ["+628115550100", "x", "+628115550100", "topic", "!a:m.example"])
    #expect(config.contacts[0].routes[2].apiKey == "own")
    #expect(config.contacts[1].routes[0].to == "-100123")
    #expect(config.delivery.expire == .seconds(2 * 86_400) && config.delivery.attemptTimeout == .seconds(8))
    #expect(config.delivery.retryAfterMax == .seconds(1800))
    #expect(config.delivery.keepHistory == .seconds(30 * 86_400))
  }

  @Test func theExampleIsGood() throws {
    let bytes = try ConfigSample.file("etc/soteria.json")
    let references = ConfigDecoder.decode(bytes).references
    #expect(!references.isEmpty, "an example shows where secrets belong")
    let secrets = Dictionary(references.map { ($0, SecretLookup.value("1:a")) }) { first, _ in first }
    let result = ConfigDecoder.decode(bytes, secrets: secrets)
    #expect(result.config != nil && result.problems.isEmpty, "\(result.problems)")
  }

  @Test func theSmallestHasAllDefaults() throws {
    let config = try #require(ConfigSample.decode(ConfigSample.top("")).config)
    #expect(config.wearer == Wearer() && config.gps == GpsSettings() && config.button == nil)
    #expect(config.delivery == DeliverySettings() && config.alert.updates == nil)
  }

  @Test func nullIsAbsent() {
    let nulls = ["wearer", "gps", "button", "indicators", "alert", "geocoder", "delivery", "heartbeat"]
    let text = ConfigSample.top(nulls.map { "\"\($0)\":null" }.joined(separator: ","))
    #expect(ConfigSample.decode(text).config?.button == nil)
    #expect(ConfigSample.decode(text).problems.isEmpty)
    let inner = #"""
      {"wearer":{"name":null},"button":{"line":"L","chip":null},"gateways":{"hook":{"type":"webhook",
      "url":"https://h","headers":{"X":null},"accept":null},"none":null},"contacts":[{"name":"M","id":null,
      "routes":[{"gateway":"hook","to":null}]}]}
      """#
    #expect(ConfigSample.decode(inner).problems.isEmpty)
    #expect(
      ConfigSample.decode(#"{"gateways":null,"contacts":null}"#).problems.map(\.key) == [
        "gateways", "contacts",
      ])
  }

  @Test func markAndLineEndsOfOtherSystemsAreFine() {
    let text = "\u{FEFF}" + ConfigSample.complete.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(ConfigSample.decode(text).problems.isEmpty)
    let problem = ConfigSample.decode("\u{FEFF}{\r\n  \"gpz\": {} ,\r\n" + ConfigSample.top("").dropFirst())
      .problems
    #expect(problem.map(\.position) == [TextPosition(line: 2, column: 3)])
  }

  @Test func everyProblemIsToldAtOnceWithItsPlace() {
    let text = #"""
      {
        "waerer": {},
        "gps": { "port": 0, "stale_after": 30 },
        "button": { "bias": "up" },
        "gateways": {
          "wa": { "type": "whatsapp", "access_token": 1 },
          "x": { "type": "smoke" }
        },
        "contacts": [ { "language": "xx", "id": 1, "routes": [ { "gateway": "wax", "to": "1" } ] } ]
      }
      """#
    let problems = ConfigSample.decode(text).problems.filter { $0.severity == .error }
    #expect(
      problems.map { "\($0.position.line):\($0.position.column) \($0.key)" } == [
        "2:3 waerer", "3:20 gps.port", "3:38 gps.stale_after", "4:13 button.line", "4:23 button.bias",
        "6:11 gateways.wa.phone_number_id", "6:49 gateways.wa.access_token", "7:20 gateways.x.type",
        "9:17 contacts[0].name", "9:31 contacts[0].language", "9:43 contacts[0].id",
        "9:71 contacts[0].routes[0].gateway",
      ])
    #expect(
      problems[0].line(file: "f").hasPrefix("f:2:3: error: waerer: unknown key; did you mean \"wearer\"?"))
  }

  @Test func aBrokenTextIsOneProblem() {
    for (text, reason) in [
      ("", "nothing in it"), ("{ // x\n}", "comments"), ("{\"a\":1,}", "comma before }"),
      ("[]", "must be an object"),
    ] {
      let problems = ConfigSample.decode(text).problems
      #expect(problems.first?.text.contains(reason) == true, "\(text)")
    }
    let utf16 = ConfigDecoder.decode([0xFF, 0xFE, 0x7B, 0, 0x7D, 0])
    #expect(utf16.config == nil && utf16.problems.first?.text.contains("UTF-16") == true)
  }

  @Test func aKeyTwiceNamesBothLinesWhereverItStands() {
    let text = """
      {"gateways":{
      "hook":{"type":"webhook","url":"https://h","headers":{"A":"1",
      "A":"2","B":"1",
      "b":"2"}},
      "hook":{"type":"smoke","type":
      "x"}},"contacts":[{"name":"M","routes":[{"gateway":"hook",
      "gateway":"hook"}]}],
      "contacts":[]}
      """
    let twice = ConfigSample.decode(text).problems.filter { $0.text.contains("stands twice") }
    let told = twice.map { "\($0.key) \($0.text.prefix { $0 != ":" })" }
    #expect(
      told == [
        "gateways.hook.headers.A stands twice, in line 2 and in line 3",
        "gateways.hook.headers.b stands twice, in line 3 and in line 4",
        "gateways.hook stands twice, in line 2 and in line 5",
        "gateways.hook.type stands twice, in line 5 and in line 5",
        "contacts[0].routes[0].gateway stands twice, in line 6 and in line 7",
        "contacts stands twice, in line 6 and in line 8",
      ])
  }

  @Test(arguments: ["indicators", "heartbeat"]) func whatIsNotHonouredYetSaysSo(_ key: String) {
    let problems = ConfigSample.decode(ConfigSample.top("\"\(key)\":{}")).problems
    #expect(problems.map(\.key) == [key])
    #expect(problems.first?.severity == .error && problems.first?.text.contains("not honoured") == true)
    let near = ConfigSample.decode(ConfigSample.top("\"\(key)_\":{}")).problems
    #expect(near.first?.text.contains("\"\(key)\"") == false, "a name is not suggested and then refused")
  }

  @Test func aProblemIsOneLineWhateverItsKey() {
    let problems = ConfigSample.decode(ConfigSample.top(#""a\nb\u001b[2J":1"#)).problems
    #expect(problems.count == 1)
    #expect(problems[0].line(file: "f").unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test func manyProblemsInALongTextKeepTheirPlaces() {
    let keys = (0..<400).map { "\"k\($0)é\": 1,\n" }.joined()
    let problems = ConfigSample.decode("{\n" + keys + ConfigSample.top("").dropFirst()).problems
    #expect(problems.map(\.position) == (0..<400).map { TextPosition(line: $0 + 2, column: 1) })
  }
}
