import Foundation
import Testing

@testable import DaemonCore

/// The schema knows what the decoder knows.
@Suite struct ConfigSchemaTests {
  private func names(_ schema: JSON?) -> Set<String> {
    guard case .object(let members)? = schema?["properties"] else { return [] }
    return Set(members.map(\.key))
  }

  private func required(_ schema: JSON?) -> Set<String> {
    Set(schema?["required"]?.array?.compactMap(\.string) ?? [])
  }

  private func compare(_ keys: [ConfigKey], _ schema: JSON?, _ path: String) {
    let supported = keys.filter(\.isSupported)
    #expect(names(schema) == Set(supported.map(\.name)), "\(path)")
    #expect(required(schema) == Set(supported.filter(\.isRequired).map(\.name)), "\(path)")
    #expect(schema?["additionalProperties"] == .bool(false), "\(path)")
    for key in supported {
      #expect(
        schema?["properties"]?[key.name]?["description"]?.string?.isEmpty == false, "\(path).\(key.name)")
      if case .object(let inner) = key.kind {
        compare(inner, schema?["properties"]?[key.name], "\(path).\(key.name)")
      }
    }
  }

  @Test func everyKeyAndNoOther() throws {
    let schema = ConfigSchema.json
    compare(ConfigKeys.top, schema, "")
    compare(ConfigKeys.contact, schema["$defs"]?["contact"], "contact")
    compare(ConfigKeys.route, schema["$defs"]?["contact"]?["properties"]?["routes"]?["items"], "route")
    let gateways = try #require(schema["$defs"]?["gateway"]?["oneOf"]?.array)
    #expect(gateways.count == GatewayKind.allCases.count)
    for (kind, gateway) in zip(GatewayKind.allCases, gateways) {
      compare(ConfigKeys.commonGateway + kind.gateway.keys, gateway, kind.rawValue)
      #expect(gateway["properties"]?["type"]?["enum"] == .array([.string(kind.rawValue)]))
    }
  }

  /// What the tests start from, and the fuzzer, leaves no gateway and no key of one out.
  @Test func theSampleHasEveryKeyOfEveryGateway() throws {
    let fuzzed = String(decoding: try ConfigSample.file("Tests/Fuzz/Targets/Gateways.swift"), as: UTF8.self)
    let readme = String(decoding: try ConfigSample.file("README.md"), as: UTF8.self)
    for kind in GatewayKind.allCases {
      let own = ConfigSample.gateways.map(\.value).filter { $0["type"]?.string == kind.rawValue }
      for key in kind.gateway.keys { #expect(own.contains { $0[key.name] != nil }, "\(kind): \(key.name)") }
      #expect(fuzzed.contains("\"type\": \"\(kind.rawValue)\""), "Tests/Fuzz/Targets/Gateways.swift: \(kind)")
      #expect(readme.contains("`\(kind.rawValue)`"), "README.md: \(kind)")
    }
  }

  @Test func isJSONForOthersToo() throws {
    let any = try JSONSerialization.jsonObject(with: Data(ConfigSchema.json.pretty.utf8))
    #expect((any as? [String: Any])?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test func nullIsTheSameAsLeavingTheKeyOut() throws {
    let check = SchemaCheck(root: ConfigSchema.json)
    let hook =
      #""type":"webhook","url":"https://h","method":null,"headers":{"X":null},"accept":{"status":null}"#
    for text in [
      ConfigSample.top(#""button":null,"gps":{"port":null,"stale_after":null},"wearer":{"language":null}"#),
      ConfigSample.gateway(hook), ConfigSample.gateway(#""type":"callmebot","api_key":null"#),
    ] {
      let faults = check.faults(try #require(JSON(parsing: text)))
      #expect(faults == [], "\(faults)")
    }
  }

  @Test func examplesFollowIt() throws {
    let check = SchemaCheck(root: ConfigSchema.json)
    for bytes in [try ConfigSample.file("etc/soteria.json"), Array(ConfigSample.complete.utf8)] {
      #expect(check.faults(try #require(JSON(parsing: bytes))) == [])
    }
    for text in [
      ConfigSample.top(#""gpz":{}"#), ConfigSample.top(#""gps":{"port":0}"#),
      ConfigSample.top(#""gps":{"stale_after":"30"}"#),
      ConfigSample.top(#""heartbeat":{}"#), "{\(ConfigSample.hook)}",
      ConfigSample.gateway(#""type":"telegram""#),
      ConfigSample.gateway(#""type":"telegram","bot_token":{"env":"x"}"#),
      ConfigSample.gateway(#""type":"smoke""#), ConfigSample.contacts(""),
      ConfigSample.top(#""wearer":{"name":""}"#),
      ConfigSample.contacts(#"{"name":"Mum","routes":[]}"#), "{\"gateways\":{},\(ConfigSample.mum)}",
      "{\"gateways\":null,\(ConfigSample.mum)}",
    ] {
      #expect(check.faults(try #require(JSON(parsing: text))) != [], "\(text)")
    }
  }
}

/// As much of JSON Schema as ours uses; a keyword it does not know is a fault.
private struct SchemaCheck {
  let root: JSON

  func faults(_ value: JSON) -> [String] { faults(value, root, "") }

  private func faults(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
    guard case .object(let keywords) = schema else { return schema == .bool(true) ? [] : ["\(path): false"] }
    return keywords.flatMap { keyword -> [String] in
      let rule = keyword.value
      switch keyword.key {
      case "$schema", "title", "description", "$defs": return []
      case "type":
        return (rule.array ?? [rule]).contains { matches(value, $0.string) } ? [] : ["\(path): type"]
      case "enum": return rule.array?.contains(value) == true ? [] : ["\(path): enum"]
      case "minItems": return (value.array?.count ?? .max) >= (rule.integer ?? 0) ? [] : ["\(path): minItems"]
      case "minProperties":
        guard case .object(let members) = value else { return [] }
        return members.count >= (rule.integer ?? 0) ? [] : ["\(path): minProperties"]
      case "minLength":
        return (value.string?.count ?? .max) >= (rule.integer ?? 0) ? [] : ["\(path): minLength"]
      case "minimum": return (value.double ?? .infinity) >= (rule.double ?? 0) ? [] : ["\(path): minimum"]
      case "maximum": return (value.double ?? -.infinity) <= (rule.double ?? 0) ? [] : ["\(path): maximum"]
      case "pattern":
        guard let text = value.string, let pattern = rule.string else { return [] }
        return text.range(of: pattern, options: .regularExpression) == nil ? ["\(path): pattern"] : []
      case "required":
        guard case .object = value else { return [] }
        return (rule.array ?? []).compactMap(\.string).filter { value[$0] == nil }.map {
          "\(path).\($0): missing"
        }
      case "properties":
        return members(value).flatMap { member in
          rule[member.key].map { faults(member.value, $0, "\(path).\(member.key)") } ?? []
        }
      case "additionalProperties":
        return members(value).filter { schema["properties"]?[$0.key] == nil }
          .flatMap { faults($0.value, rule, "\(path).\($0.key)") }
      case "items": return (value.array ?? []).flatMap { faults($0, rule, "\(path)[]") }
      case "anyOf":
        return (rule.array ?? []).contains { faults(value, $0, path).isEmpty } ? [] : ["\(path): anyOf"]
      case "oneOf":
        let fitting = (rule.array ?? []).filter { faults(value, $0, path).isEmpty }
        return fitting.count == 1 ? [] : ["\(path): \(fitting.count) of oneOf"]
      case "$ref":
        let target = (rule.string ?? "").split(separator: "/").dropFirst().reduce(JSON?.some(root)) {
          $0?[String($1)]
        }
        return target.map { faults(value, $0, path) } ?? ["\(path): $ref"]
      default: return ["\(path): unknown keyword \(keyword.key)"]
      }
    }
  }

  private func members(_ value: JSON) -> [JSON.Member] {
    if case .object(let members) = value { members } else { [] }
  }

  private func matches(_ value: JSON, _ type: String?) -> Bool {
    switch value {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number: type == "number" || (type == "integer" && value.integer != nil)
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}
