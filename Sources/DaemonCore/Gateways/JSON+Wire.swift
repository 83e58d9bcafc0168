/// The JSON of gateways in few words.
extension JSON {
  static func degrees(_ angle: Double) -> JSON { .decimal(angle, 6) }
  static func tenths(_ number: Double) -> JSON { .decimal(number, 1) }

  /// A message's body.
  var bytes: [UInt8] { Array(encoded.utf8) }

  var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// A whole number, also where a server wrote it as text.
  var wireInteger: Int64? {
    switch self {
    case .number(let text), .string(let text): Int64(text)
    case .null, .bool, .array, .object: nil
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
