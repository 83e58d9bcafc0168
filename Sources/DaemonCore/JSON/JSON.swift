/// A JSON value, to be written or as it was read. Source: RFC 8259.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  /// The number as written: no digit is lost.
  case number(String)
  case string(String)
  case array([JSON])
  /// In order, duplicates kept; reading by key gives the first.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSON

    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// nil when `bytes` are no JSON; `repairing` as in `JSONParser`.
  package init?(parsing bytes: [UInt8], repairing: Bool = false) {
    guard let node = try? JSONParser.parse(bytes, repairing: repairing) else { return nil }
    self = node.json
  }

  package init?(parsing text: String) {
    self.init(parsing: Array(text.utf8))
  }

  package static func fields(_ fields: [(String, JSON)]) -> JSON {
    .object(fields.map { Member(key: $0.0, value: $0.1) })
  }

  package static func integer(_ number: Int) -> JSON { .number(PlainNumber(number).text) }

  /// A number in plain decimals; null where it is none.
  package static func decimal(_ number: Double, _ decimals: Int) -> JSON {
    number.isFinite ? .number(fixed(number, decimals: decimals)) : .null
  }

  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// A whole number; nil beyond 64 bits. Written as 17.0 or 1e3 it is read below 2^53, where a double is exact.
  package var integer: Int? {
    guard case .number(let text) = self else { return nil }
    if let number = Int(text) { return number }
    guard let number = Double(text), abs(number) < 0x1p53 else { return nil }
    return Int(exactly: number)
  }

  /// nil where the number is too large for a double.
  package var double: Double? {
    guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}
