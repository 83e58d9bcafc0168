import Foundation
import Testing

@testable import DaemonCore

/// Configurations that tests start from.
enum ConfigSample {
  static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

  static func file(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appendingPathComponent(path)))
  }

  static let hook = #""gateways":{"hook":{"type":"webhook","url":"https://h.example/x"}}"#
  static let mum = #""contacts":[{"name":"Mum","routes":[{"gateway":"hook"}]}]"#

  /// The smallest configuration with `members` before its gateway.
  static func top(_ members: String) -> String { "{\(members.isEmpty ? "" : members + ",")\(hook),\(mum)}" }

  /// A configuration whose one gateway is `gateway` and whose one route has `to`.
  static func gateway(_ gateway: String, route: String = #""to":"+628110000000""#) -> String {
    #"{"gateways":{"g":{\#(gateway)}},"contacts":[{"name":"Mum","routes":[{"gateway":"g"\#(route.isEmpty ? "" : ",")\#(route)}]}]}"#
  }

  static func contacts(_ contacts: String) -> String { "{\(hook),\"contacts\":[\(contacts)]}" }

  static func decode(_ text: String, _ secrets: [SecretReference: SecretLookup] = [:]) -> ConfigResult {
    ConfigDecoder.decode(Array(text.utf8), secrets: secrets)
  }

  /// Those of `complete`, as they are written there.
  static var gateways: [JSON.Member] {
    guard case .object(let members)? = JSON(parsing: complete)?["gateways"] else { return [] }
    return members
  }

  /// Every key of the decoder.
  static let complete = #"""
    {
      "wearer": { "name": "Ayu", "language": "id" },
      "gps": { "host": "127.0.0.1", "port": 2948, "stale_after": "45s" },
      "button": { "chip": "pinctrl-bcm2711", "line": 17, "active_low": false, "bias": "as-is",
                  "debounce": "25ms", "hold": "100ms", "presses": 2, "within": "3s" },
      "alert": { "text": "{wearer} at {position} {map}", "map": "osm", "cancel_window": "5s", "open_for": "1h",
                 "updates": { "every": "2m", "for": "20m" } },
      "gateways": {
        "hook": { "type": "webhook", "timeout": "9s", "ca_file": "/etc/ca.pem", "url": "https://h.example/{to}",
                  "method": "PUT", "headers": { "Authorization": { "file": "/etc/key" }, "X-A": "b" },
                  "body": "{\"text\":{text}}", "content_type": "application/json",
                  "accept": { "status": [200, 202], "body_contains": "ok",
                              "proves": true, "json": { "path": "a.b", "equals": "x" } },
                  "limit": { "length": 900, "unit": "bytes" } },
        "wa":   { "type": "whatsapp", "url": "https://w.example/", "phone_number_id": "123", "access_token": "t",
                  "api_version": "v22.0", "template": { "name": "sos", "language": "en" } },
        "sms":  { "type": "twilio", "url": "https://t.example", "account_sid": "AC1",
                  "auth_token": { "credential": "twilio" }, "from": "+1 500 555 0006", "channel": "whatsapp",
                  "content_sid": "HX1" },
        "pool": { "type": "twilio", "account_sid": "AC1", "auth_token": "x", "messaging_service_sid": "MG1" },
        "bot":  { "type": "telegram", "url": "https://b.example", "bot_token": "1:a", "acknowledge": true },
        "cmb":  { "type": "callmebot", "url": "https://c.example", "api_key": "k" },
        "push": { "type": "ntfy", "url": "https://n.example", "token": "t",
                  "reply_topic": "topic-ok" },
        "room": { "type": "matrix", "url": "https://m.example", "access_token": "t" },
        "loud": { "type": "pushover", "url": "https://p.example", "token": "t", "retry": "30s", "expire": "1h" },
        "sig":  { "type": "signal", "url": "https://s.example", "number": "+62 811 000 0001", "token": "t" },
        "map":  { "type": "traccar", "url": "https://r.example:5055" }
      },
      "contacts": [
        { "name": "Mum", "id": "m", "language": "en", "routes": [
          { "gateway": "sms", "to": "+62 811-555.0100" }, { "gateway": "hook", "to": "x" },
          { "gateway": "cmb", "to": "+628115550100", "api_key": "own" },
          { "gateway": "push", "to": "topic" }, { "gateway": "room", "to": "!a:m.example" } ] },
        { "name": "Bo", "routes": [ { "gateway": "bot", "to": -100123 }, { "gateway": "wa", "to": "+447700900123" },
          { "gateway": "pool", "to": "+447700900123" },
          { "gateway": "loud", "to": "uQiRzpo4DXghDmr9QzzfQu27cmVRsG" }, { "gateway": "sig", "to": "group.YWJj" },
          { "gateway": "map", "to": "pi" } ] }
      ],
      "delivery": { "expire": "2d", "attempt_timeout": "8s", "retry_after_max": "30m", "keep_history": "30d" }
    }
    """#
}
