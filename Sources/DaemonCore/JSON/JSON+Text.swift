/// Writing JSON: UTF-8, one line or indented, control characters escaped.
extension JSON {
  /// On one line, without spaces.
  package var encoded: String {
    var text = ""
    write(into: &text, indent: nil)
    return text
  }

  /// For people: two spaces a level.
  package var pretty: String {
    var text = ""
    write(into: &text, indent: 0)
    return text
  }

  private func write(into text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): Self.quote(string, into: &text)
    case .array(let elements):
      Self.list(elements, "[", "]", into: &text, indent: indent) { element, text, indent in
        element.write(into: &text, indent: indent)
      }
    case .object(let members):
      Self.list(members, "{", "}", into: &text, indent: indent) { member, text, indent in
        Self.quote(member.key, into: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(into: &text, indent: indent)
      }
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, into text: inout String, indent: Int?,
    write: (Element, inout String, Int?) -> Void
  ) {
    text += open
    let inner = indent.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      write(element, &text, inner)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: " ", count: indent) }
    text += close
  }

  private static func quote(_ string: String, into text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Most strings need no escape: copied whole they cost a tenth.
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// `number` in plain decimals, rounded half away from zero, never an exponent; the sign of a value that
  /// rounds to zero is dropped. Not finite or beyond 64 bits: `0` with the decimals.
  package static func fixed(_ number: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded(.toNearestOrAwayFromZero)
    let whole = Int64(exactly: scaled) ?? 0
    let digits = padded(Int(whole), to: decimals + 1)
    let sign = number < 0 && whole != 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    return "\(sign)\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
  }
}
