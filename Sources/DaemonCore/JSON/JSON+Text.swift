/// Writing a tree.
extension JSON: JSONWritable {
  /// On one line, without spaces.
  package var encoded: String { written().text }

  /// For people: two spaces a level.
  package var pretty: String { written(indent: 0).text }

  func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let value): json.bool(value)
    case .number(let number): json.number(number)
    case .string(let string): json.string(string)
    case .array(let elements): elements.write(to: &json)
    case .object(let members):
      json.object { json in
        for member in members {
          json.key(named: member.key)
          member.value.write(to: &json)
        }
      }
    }
  }

  /// See `PlainNumber`.
  package static func fixed(_ number: Double, decimals: Int) -> String {
    PlainNumber(number, decimals: decimals).text
  }
}
