/// The JSON Schema of the configuration, made from the decoder's own tables. Source: JSON Schema 2020-12.
package enum ConfigSchema {
  package static var json: JSON {
    guard case .object(let members) = object(ConfigKeys.top) else { return .null }
    let head = JSON.fields([
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("soteria.json")),
      ("$defs", .fields([("secret", secret), ("gateway", gateway), ("contact", contact)])),
    ])
    guard case .object(let first) = head else { return .null }
    return .object(first + members)
  }

  private static func object(_ keys: [ConfigKey]) -> JSON {
    let supported = keys.filter(\.isSupported)
    var fields: [(String, JSON)] = [
      ("type", .string("object")),
      (
        "properties",
        .fields(supported.map { ($0.name, $0.isRequired ? property($0) : orNull(property($0))) })
      ),
      ("additionalProperties", .bool(false)),
    ]
    let required = supported.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { fields.append(("required", .array(required))) }
    return .fields(fields)
  }

  /// The same or null, which is the same as leaving the key out.
  private static func orNull(_ schema: JSON) -> JSON {
    guard case .object(let members) = schema else { return schema }
    return .object(
      members.map { member in
        switch member.key {
        case "type":
          JSON.Member(key: "type", value: .array((member.value.array ?? [member.value]) + [.string("null")]))
        case "enum": JSON.Member(key: "enum", value: .array((member.value.array ?? []) + [.null]))
        case "$ref":
          JSON.Member(
            key: "anyOf",
            value: .array([.fields([("$ref", member.value)]), .fields([("type", .string("null"))])]))
        default: member
        }
      })
  }

  private static func property(_ key: ConfigKey) -> JSON {
    let meaning = ("description", JSON.string(key.meaning))
    switch key.kind {
    case .text: return .fields([("type", .string("string")), ("minLength", .integer(1)), meaning])
    case .secret: return .fields([("$ref", .string("#/$defs/secret")), meaning])
    case .duration(let range):
      let limits = "\(key.meaning); \(range.lowerBound.text) to \(range.upperBound.text)"
      return .fields([
        ("type", .string("string")), ("pattern", .string("^[0-9]+(ms|s|m|h|d)$")),
        ("description", .string(limits)),
      ])
    case .integer(let range):
      return .fields([
        ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
        ("maximum", .integer(range.upperBound)), meaning,
      ])
    case .bool: return .fields([("type", .string("boolean")), meaning])
    case .choice(let names): return .fields([("enum", .array(names.map { .string($0) })), meaning])
    case .object(let keys): return described(object(keys), meaning)
    case .named:
      let target = key.name == "gateways" ? "#/$defs/gateway" : "#/$defs/secret"
      let values = orNull(.fields([("$ref", .string(target))]))
      return .fields([
        ("type", .string("object")), ("minProperties", .integer(key.isRequired ? 1 : 0)),
        ("additionalProperties", values), meaning,
      ])
    case .list:
      let items: [String: JSON] = [
        "contacts": .fields([("$ref", .string("#/$defs/contact"))]),
        "routes": object(ConfigKeys.route), "status": .fields([("type", .string("integer"))]),
      ]
      return .fields([
        ("type", .string("array")), ("minItems", .integer(1)), ("items", items[key.name] ?? .bool(true)),
        meaning,
      ])
    case .various:
      let types = key.name == "equals" ? ["string", "number", "boolean"] : ["string", "integer"]
      return .fields([("type", .array(types.map { .string($0) })), meaning])
    case .unsupported: return .fields([meaning])
    }
  }

  private static func described(_ schema: JSON, _ meaning: (String, JSON)) -> JSON {
    guard case .object(let members) = schema else { return schema }
    return .object(members + [JSON.Member(key: meaning.0, value: meaning.1)])
  }

  private static var secret: JSON {
    func reference(_ key: String) -> JSON {
      .fields([
        ("type", .string("object")), ("required", .array([.string(key)])),
        ("properties", .fields([(key, .fields([("type", .string("string"))]))])),
        ("additionalProperties", .bool(false)),
      ])
    }
    return .fields([
      ("anyOf", .array([.fields([("type", .string("string"))]), reference("credential"), reference("file")]))
    ])
  }

  private static var gateway: JSON {
    let kinds = GatewayKind.allCases.map { kind -> JSON in
      var common = ConfigKeys.commonGateway
      common[0].kind = .choice([kind.rawValue])
      return object(common + kind.gateway.keys)
    }
    return .fields([("oneOf", .array(kinds))])
  }

  private static var contact: JSON { object(ConfigKeys.contact) }
}
