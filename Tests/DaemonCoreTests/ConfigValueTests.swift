import Foundation
import Testing

@testable import DaemonCore

/// What each key takes.
@Suite struct ConfigValueTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var key: String?
    var holds: String
    var severity: ConfigProblem.Severity = .error
    var testDescription: String { text }

    static func good(_ text: String) -> Case { Case(text: text, key: nil, holds: "") }
    static func top(_ members: String, _ key: String?, _ holds: String = "") -> Case {
      Case(text: ConfigSample.top(members), key: key, holds: holds)
    }
    static func gateway(_ members: String, _ key: String?, _ holds: String = "") -> Case {
      Case(text: ConfigSample.gateway(members), key: key.map { "gateways.g." + $0 }, holds: holds)
    }
    static func hook(_ members: String, _ key: String?, _ holds: String = "") -> Case {
      gateway(#""type":"webhook","url":"https://h","# + members, key, holds)
    }
    func warning() -> Case {
      var copy = self
      copy.severity = .warning
      return copy
    }
  }

  static let cases: [Case] = [
    .gateway(#""type":"ntfy","reply_topic":"a b""#, "reply_topic"),
    .gateway(#""type":"signal","url":"https://s","number":"0811""#, "number", "must be a phone number"),
    .top(#""gps":{"port":65535}"#, nil), .top(#""gps":{"port":65536}"#, "gps.port", "from 1 to 65535"),
    .top(#""gps":{"port":2.9e3}"#, nil), .top(#""gps":{"port":"1"}"#, "gps.port"),
    .top(#""gps":{"stale_after":"8d"}"#, "gps.stale_after", "between 0s and 7d"),
    .top(#""gps":{"stale_after":"0s"}"#, nil),
    .top(#""gps":[]"#, "gps", "must be an object"), .top(#""wearer":{"name":""}"#, "wearer.name", "is empty"),
    .top(#""wearer":{"name":"a\nb"}"#, "wearer.name", "line break"),
    .top(#""wearer":{"name":1}"#, "wearer.name", "not a number"),
    .top(#""wearer":{"language":"eng"}"#, "wearer.language", "did you mean \"en\"?"),
    .top(#""button":{"line":"GPIO17"}"#, nil), .top(#""button":{"line":17}"#, "button.line", "chip"),
    .top(#""button":{"line":17,"chip":"c"}"#, nil), .top(#""button":{"line":-1,"chip":"c"}"#, "button.line"),
    .top(#""button":{"line":1.5,"chip":"c"}"#, "button.line"),
    .top(#""button":{"line":true}"#, "button.line"),
    .top(#""button":{"line":"L","active_low":1}"#, "button.active_low", "true or false"),
    .top(#""button":{"line":"L","debounce":"0ms"}"#, "button.debounce", "between 1ms and 1s"),
    .top(#""button":{"line":"L","presses":11}"#, "button.presses"),
    .top(#""button":{"line":"L","presses":0}"#, "button.presses"),
    .top(#""button":{"line":"L","hold":"61s"}"#, "button.hold"),
    .top(#""button":{"line":"L","within":"99ms"}"#, "button.within"),
    .top(#""button":{"line":"L","hold":"1s","presses":3}"#, "button.presses", "never fit into 2s"),
    .top(#""button":{"line":"L","hold":"1s","presses":2}"#, nil),
    .top(#""button":{"line":"L","hold":"9s"}"#, nil),
    .top(#""button":{"line":"L","hold":"3s","presses":2,"within":"3s"}"#, "button.within", "never fit"),
    .top(#""alert":{"text":"{postion}"}"#, "alert.text", "did you mean {position}?"),
    .top(#""alert":{"text":"a\r\n\tb"}"#, nil),
    .top(#""alert":{"text":"a\u0000b"}"#, "alert.text", "control character"),
    .top(#""alert":{"text":" \n\u200b"}"#, "alert.text", "is empty"),
    .top(#""wearer":{"name":"\u00a0 "}"#, "wearer.name", "is empty"),
    .top(#""alert":{"map":"bing"}"#, "alert.map", "google"),
    .top(#""alert":{"cancel_window":"301s"}"#, "alert.cancel_window"),
    .top(#""alert":{"open_for":"0s"}"#, "alert.open_for"),
    .top(#""alert":{"updates":{"every":"0s"}}"#, "alert.updates.every"),
    .top(#""alert":{"updates":{"for":"8d"}}"#, "alert.updates.for"), .top(#""alert":{"updates":{}}"#, nil),
    .top(#""delivery":{"expire":"0s"}"#, "delivery.expire"),
    .top(#""delivery":{"attempt_timeout":"121s"}"#, "delivery.attempt_timeout"),
    .top(#""delivery":{"retry_after_max":"25h"}"#, "delivery.retry_after_max"),
    .top(#""delivery":{"attempt_timeout":"99ms"}"#, "delivery.attempt_timeout"),
    .top(#""delivery":{"attempt_timeout":"100ms","retry_after_max":"0s","keep_history":"1s"}"#, nil),
    .top(#""delivery":{"keep_history":"999ms"}"#, "delivery.keep_history"),
    .top(#""":1"#, "\"\"", "unknown key"),
    .gateway(#""type":"twitter""#, "type", "must be one of"),
    .gateway(#""typ":"twilio""#, "type", "is missing"),
    .hook(#""timeout":"0s""#, "timeout"), .hook(#""ca_file":"ca.pem""#, "ca_file", "absolute"),
    .gateway(#""type":"webhook","url":"http://localhost:1","ca_file":"/a""#, "ca_file", "not https"),
    .gateway(#""type":"webhook","url":"ftp://h""#, "url"),
    .gateway(#""type":"webhook","url":"https://""#, "url"),
    .gateway(#""type":"webhook","url":"https://h:99999/""#, "url"),
    .gateway(#""type":"webhook","url":"https://h/a b""#, "url"),
    .gateway(#""type":"webhook","url":"https://h:+80/""#, "url"),
    .gateway(#""type":"webhook","url":"https://h:/""#, "url"),
    .gateway(#""type":"webhook","url":"https://h\\x/""#, "url"),
    .gateway(#""type":"webhook","url":"https://a<b>/""#, "url"),
    .gateway(#""type":"webhook","url":"https://{too}.h/""#, "url"),
    .gateway(#""type":"webhook","url":"https://[zz]/""#, "url"),
    .gateway(#""type":"webhook","url":"https://[::1]x/""#, "url"),
    .gateway(#""type":"webhook","url":"https://[::1]:99999/""#, "url"),
    .gateway(#""type":"webhook","url":"https://u:p@my_host-1.example:8443?q""#, nil),
    .gateway(#""type":"webhook","url":"https://{to}.h/""#, nil),
    .gateway(#""type":"webhook","url":"HTTPS://H.EXAMPLE/A""#, nil),
    .gateway(#""type":"webhook","url":"Http://h.example/""#, "url", "not encrypted").warning(),
    .gateway(#""type":"webhook","url":"https://b\u00fccher.example/""#, "url", "in ASCII"),
    .gateway(#""type":"webhook","url":"http://127.0.0.1:8080/""#, nil),
    .gateway(#""type":"webhook","url":"http://[::1]:80/""#, nil),
    .gateway(#""type":"webhook","url":"http://h.example/""#, "url", "not encrypted").warning(),
    .gateway(#""type":"webhook","url":"http://127.evil.example/""#, "url", "not encrypted").warning(),
    .hook(#""headers":[]"#, "headers"), .hook(#""headers":{"X":"a\r\nY: b"}"#, "headers.X", "line break"),
    .hook(#""headers":{"a b":"c"}"#, "headers.a b", "no header name"),
    .hook(#""headers":{"":"c"}"#, "headers.\"\"", "no header name"),
    .hook(#""headers":{"Content-Length":"1"}"#, "headers.Content-Length"),
    .hook(#""headers":{"X":""}"#, "headers.X"),
    .hook(#""content_type":"a\r\nb""#, "content_type"), .hook(#""body":"form""#, nil),
    .hook(#""body":"{texd}""#, "body", "{text}"),
    .hook(#""body":"form","content_type":"text/plain""#, "content_type", "fixed"),
    .hook(#""method":"DELETE""#, "method"),
    .hook(#""method":"GET","body":"x""#, "body").warning(),
    .hook(#""accept":{"status":[]}"#, "accept.status"),
    .hook(#""accept":{"status":[99]}"#, "accept.status"),
    .hook(#""accept":{"status":["200"]}"#, "accept.status"),
    .hook(#""accept":{"status":200}"#, "accept.status", "list"),
    .hook(#""accept":{"json":{}}"#, "accept.json.path", "is missing"),
    .hook(#""accept":{"json":{"path":".."}}"#, "accept.json.path"),
    .hook(#""accept":{"json":{"path":"a","equals":[]}}"#, "accept.json.equals"),
    .gateway(#""type":"twilio","account_sid":"AC1","auth_token":"t""#, "from", "is missing"),
    .gateway(#""type":"twilio","account_sid":"A/1","auth_token":"t","from":"+15005550006""#, "account_sid"),
    .gateway(#""type":"twilio","account_sid":"A","auth_token":"t","from":"+1""#, "from", "phone number"),
    .gateway(
      #""type":"twilio","account_sid":"A","auth_token":"t","from":"Soteria","channel":"whatsapp""#,
      "from", "phone number"),
    .gateway(#""type":"twilio","account_sid":"A","auth_token":"t","from":"Soteria""#, nil),
    .gateway(
      #""type":"twilio","account_sid":"A","auth_token":"t","from":"a","messaging_service_sid":"b""#,
      "messaging_service_sid"),
    .gateway(
      #""type":"twilio","account_sid":"A","auth_token":"t","from":"a","content_sid":"b""#, "content_sid"),
    .gateway(
      #""type":"whatsapp","phone_number_id":"+1","access_token":"t","template":{"name":"a","language":"b"}"#,
      "phone_number_id"),
    .gateway(
      #""type":"whatsapp","phone_number_id":"1","access_token":"t","template":{"name":"a"}"#,
      "template.language", "is missing"),
    .gateway(
      #""type":"whatsapp","phone_number_id":"1","access_token":"t","api_version":"v1?a","template":{"name":"a","language":"b"}"#,
      "api_version"),
    .good(ConfigSample.gateway(#""type":"telegram","bot_token":"1:a""#, route: #""to":"@abcd""#)),
    Case(
      text: ConfigSample.gateway(#""type":"telegram","bot_token":"1:a/b""#, route: #""to":1"#),
      key: "gateways.g.bot_token", holds: "token"),
    Case(
      text: ConfigSample.gateway(#""type":"callmebot""#), key: "contacts[0].routes[0].api_key",
      holds: "neither"),
    Case(
      text: ConfigSample.gateway(#""type":"callmebot","api_key":"k""#), key: "contacts[0].routes",
      holds: "proves little", severity: .warning),
    Case(
      text: ConfigSample.gateway(#""type":"whatsapp","phone_number_id":"1","access_token":"t""#),
      key: "contacts[0].routes", holds: "proves little", severity: .warning),
    Case(
      text: ConfigSample.gateway(#""type":"webhook","url":"https://h/{to}""#, route: ""),
      key: "contacts[0].routes[0].to", holds: "{to}", severity: .warning),
    Case(
      text: ConfigSample.gateway(#""type":"webhook","url":"https://h""#, route: #""api_key":"k""#),
      key: "contacts[0].routes[0].api_key", holds: "only for"),
    Case(text: #"{"gateways":{},"contacts":[]}"#, key: "gateways", holds: "is empty"),
    Case(text: ConfigSample.contacts(""), key: "contacts", holds: "is empty"),
    Case(
      text: ConfigSample.contacts(#"{"name":"M","routes":[]}"#), key: "contacts[0].routes", holds: "is empty"),
    Case(text: "{\"gateways\":[],\(ConfigSample.mum)}", key: "gateways", holds: "not a list"),
    Case(
      text: "{\"gateways\":{\"hook\":1},\(ConfigSample.mum)}", key: "gateways.hook", holds: "not a number"),
    Case(
      text: #"{"gateways":{"":{"type":"webhook","url":"https://h"}},"# + ConfigSample.mum + "}",
      key: "gateways.\"\"", holds: "may not be empty"),
    Case(
      text: ConfigSample.contacts(#"{"name":"M","routes":[{"gateway":"hok"}]}"#),
      key: "contacts[0].routes[0].gateway", holds: "did you mean \"hook\"?"),
    Case(
      text: ConfigSample.contacts(#"{"name":"M","routes":[{"gateway":"hook"},{"gateway":"hook"}]}"#),
      key: "contacts[0].routes[1].gateway", holds: "the same route"),
    Case(
      text:
        #"{"gateways":{"hook":{"type":"webhook","url":"https://h"},"u":{"type":"webhook","url":"https://h"}},"#
        + ConfigSample.mum + "}", key: "gateways.u", holds: "no contact has a route by it", severity: .warning
    ),
  ]

  @Test(arguments: cases) func isTakenOrToldOff(_ item: Case) {
    let result = ConfigSample.decode(item.text)
    guard let key = item.key else {
      #expect(result.problems.isEmpty && result.config != nil)
      return
    }
    #expect(
      result.problems.contains {
        $0.key == key && $0.severity == item.severity && (item.holds.isEmpty || $0.text.contains(item.holds))
      },
      "\(result.problems.map { $0.line(file: "") })")
    #expect((result.config == nil) == (item.severity == .error))
  }

  static let phones: [(String, String?)] = [
    ("+628115550100", "+628115550100"), ("+62 811-555.0100", "+628115550100"),
    ("+1 (500) 555 [0006]", "+15005550006"),
    ("\u{202A}+62\u{A0}811\u{2011}5550100\u{202C}", "+628115550100"), ("+12345678", "+12345678"),
    ("+1234567", nil),
    ("+123456789012345", "+123456789012345"), ("+1234567890123456", nil), ("628115550100", nil),
    ("0811555010", nil),
    ("00628115550100", nil), ("++6281155501", nil), ("+62811555010x", nil), ("+٦٢٨١١٥٥٥٠١٠٠", nil),
    ("+1️⃣23456789", nil), ("+1\u{301}23456789", nil), ("", nil), ("+", nil), ("+62/811/5550100", nil),
  ]

  @Test(arguments: phones) func phoneNumbersAreCanonicalOrRefused(_ text: String, _ canonical: String?) {
    #expect(PhoneNumber.canonical(text) == canonical)
  }

  @Test func aTrunkZeroIsWarnedOf() {
    for (text, warns) in [
      ("+44 (0)20 7946 0958", true), ("+44( 0 )2079460958", true), ("+44 (20) 7946 0958", false),
      ("+020 7946 0958", true),
    ] {
      let sms = #""type":"twilio","account_sid":"A","auth_token":"t","from":"x""#
      let problems = ConfigSample.decode(ConfigSample.gateway(sms, route: "\"to\":\"\(text)\"")).problems
      #expect(problems.contains { $0.key == "contacts[0].routes[0].to" } == warns)
    }
  }

  static let chats: [(String, String?)] = [
    ("1", "1"), ("-1001234567890", "-1001234567890"), ("9223372036854775807", "9223372036854775807"),
    ("-9223372036854775808", "-9223372036854775808"), ("9223372036854775808", nil), ("1.5", nil),
    ("1e3", "1000"),
    ("\"12\"", "12"), ("\"+12\"", "12"), ("\"-9223372036854775809\"", nil), ("\"@name_1\"", "@name_1"),
    ("\"@abc\"", nil),
    ("\"name\"", nil), ("\"@nämé\"", nil), ("\"\"", nil), ("true", nil), ("[1]", nil),
  ]

  @Test(arguments: chats) func chatIdsAre64BitsOrNames(_ json: String, _ canonical: String?) {
    let text = ConfigSample.gateway(#""type":"telegram","bot_token":"1:a""#, route: "\"to\":\(json)")
    #expect(ConfigSample.decode(text).config?.contacts.first?.routes.first?.to == canonical)
  }

  @Test func idsAreMadeFromNames() {
    func ids(_ contacts: [String]) -> [String]? {
      let list = contacts.map { "{\($0),\"routes\":[{\"gateway\":\"hook\"}]}" }.joined(separator: ",")
      return ConfigSample.decode(ConfigSample.contacts(list)).config?.contacts.map(\.id)
    }
    func named(_ names: String...) -> [String]? { ids(names.map { "\"name\":\"\($0)\"" }) }
    #expect(named("Mum & Dad", "BO2", "a  b") == ["mum-dad", "bo2", "a-b"])
    #expect(named("Ñandú") == ["-and-"])
    #expect(named("🆘!", "妈妈") == ["contact-1", "contact-2"])
    #expect(named("a b", "a-b", "a.b") == ["a-b", "contact-2", "contact-3"])
    #expect(named(String(repeating: "x", count: 65)) == ["contact-1"])
    #expect(ids([#""name":"Mum""#, #""name":"Dad","id":"mum""#]) == ["contact-1", "mum"])
    #expect(ids([#""name":"!""#, #""name":"Dad","id":"contact-1""#]) == ["contact-2", "contact-1"])
    #expect(ids([#""name":"Mum""#, #""name":"Mum""#]) == nil)
    #expect(ids([#""name":"A","id":"x""#, #""name":"B","id":"x""#]) == nil)
    for id in ["X", "a b", "é", "x\u{301}", "a_b"] {
      #expect(ids(["\"name\":\"A\",\"id\":\"\(id)\""]) == nil)
    }
  }
}
