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
      ("properties", .fields(supported.map { ($0.name, property($0)) })),
      ("additionalProperties", .bool(false)),
    ]
    let required = supported.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { fields.append(("required", .array(required))) }
    return .fields(fields)
  }

  private static func property(_ key: ConfigKey) -> JSON {
    let meaning = ("description", JSON.string(key.meaning))
    switch key.kind {
    case .text: return .fields([("type", .string("string")), meaning])
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
      return .fields([
        ("type", .string("object")), ("additionalProperties", .fields([("$ref", .string(target))])), meaning,
      ])
    case .list:
      let items: [String: JSON] = [
        "contacts": .fields([("$ref", .string("#/$defs/contact"))]),
        "routes": object(ConfigKeys.route), "status": .fields([("type", .string("integer"))]),
      ]
      return .fields([("type", .string("array")), ("items", items[key.name] ?? .bool(true)), meaning])
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
