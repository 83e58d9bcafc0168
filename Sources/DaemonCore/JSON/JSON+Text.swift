/// Writing JSON: UTF-8, one line or indented, control characters escaped.
extension JSON {
  /// On one line, without spaces.
  package var encoded: String { text(indent: nil) }

  /// For people: two spaces a level.
  package var pretty: String { text(indent: 0) }

  private func text(indent: Int?) -> String {
    // Bytes, because strings are slow to grow, and every press waits for some.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    write(into: &bytes, indent: indent)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(into bytes: inout [UInt8], indent: Int?) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .number(let number): bytes += number.utf8
    case .string(let string): Self.quote(string, into: &bytes)
    case .array(let elements):
      Self.list(elements, "[", "]", into: &bytes, indent: indent) { element, bytes, indent in
        element.write(into: &bytes, indent: indent)
      }
    case .object(let members):
      Self.list(members, "{", "}", into: &bytes, indent: indent) { member, bytes, indent in
        Self.quote(member.key, into: &bytes)
        bytes += (indent == nil ? ":" : ": ").utf8
        member.value.write(into: &bytes, indent: indent)
      }
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, into bytes: inout [UInt8], indent: Int?,
    write: (Element, inout [UInt8], Int?) -> Void
  ) {
    bytes += open.utf8
    let inner = indent.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let inner { newLine(inner, into: &bytes) }
      write(element, &bytes, inner)
    }
    if let indent, !elements.isEmpty { newLine(indent, into: &bytes) }
    bytes += close.utf8
  }

  private static func newLine(_ indent: Int, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: indent)
  }

  private static func quote(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += "\\\"".utf8
      case UInt8(ascii: "\\"): bytes += "\\\\".utf8
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case UInt8(ascii: "\r"): bytes += "\\r".utf8
      case UInt8(ascii: "\t"): bytes += "\\t".utf8
      case 0..<0x20, 0x7F: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
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
