/// The JSON of gateways in few words.
extension JSON {
  static func degrees(_ angle: Double) -> JSON { .decimal(angle, 6) }
  static func tenths(_ number: Double) -> JSON { .decimal(number, 1) }

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

  /// A service's name for a message: an empty one names nothing, and proves nothing.
  var wireName: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  /// The values that keys, or indices of arrays, lead to, and with `*` every element; nil where one is missing.
  func values(at path: some Collection<String>) -> [JSON]? {
    guard let key = path.first else { return [self] }
    let rest = path.dropFirst()
    guard case .array(let elements) = self else { return self[key]?.values(at: rest) }
    guard key == "*" else {
      return Int(key).flatMap { elements.indices.contains($0) ? elements[$0].values(at: rest) : nil }
    }
    let found = elements.map { $0.values(at: rest) }
    return found.isEmpty || found.contains { $0 == nil } ? nil : found.compactMap { $0 }.flatMap { $0 }
  }
}

extension Response {
  /// The body as a JSON object or array; nil where it is none or was cut short. A broken character says nothing
  /// against what stands beside it: the message would be sent again for ever.
  var json: JSON? {
    guard !truncated, let json = JSON(parsing: body, repairing: true) else { return nil }
    switch json {
    case .object, .array: return json
    default: return nil
    }
  }
}
