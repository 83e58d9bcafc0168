/// The JSON of gateways in few words.
extension JSON {
  static func fields(_ fields: [(String, JSON)]) -> JSON {
    .object(fields.map { Member(key: $0.0, value: $0.1) })
  }

  static func integer(_ number: Int64) -> JSON { .number("\(number)") }
  static func degrees(_ angle: Double) -> JSON { .number(fixed(angle, decimals: 6)) }
  static func tenths(_ number: Double) -> JSON {
    number.isFinite ? .number(fixed(number, decimals: 1)) : .null
  }

  /// A message's body.
  var bytes: [UInt8] { Array(encoded.utf8) }

  subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// A whole number, also where a server wrote it as text.
  var integer: Int64? {
    switch self {
    case .number(let text), .string(let text): Int64(text)
    default: nil
    }
  }

  /// The value that keys, or indices of arrays, lead to.
  func value(at path: [String]) -> JSON? {
    path.reduce(self) { (value: JSON?, key) in
      guard case .array(let elements)? = value else { return value?[key] }
      return Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
  }
}

extension Response {
  /// The body as a JSON object or array; nil where it is none or was cut short.
  var json: JSON? {
    guard !truncated, let json = JSON(parsing: body) else { return nil }
    switch json {
    case .object, .array: return json
    default: return nil
    }
  }
}
