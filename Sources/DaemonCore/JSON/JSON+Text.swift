/// Writing JSON: UTF-8, one line or indented, control characters escaped.
extension JSON {
  /// On one line, without spaces.
  package var encoded: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as a message's body.
  var bytes: [UInt8] { bytes(indent: nil) }

  /// For people: two spaces a level.
  package var pretty: String { String(decoding: bytes(indent: 0), as: UTF8.self) }

  private func bytes(indent: Int?) -> [UInt8] {
    // Bytes, because strings are slow to grow, and every press waits for some.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    write(into: &bytes, indent: indent)
    return bytes
  }

  private func write(into bytes: inout [UInt8], indent: Int?) {
    switch self {
    case .null: Self.add("null", to: &bytes)
    case .bool(let value): Self.add(value ? "true" : "false", to: &bytes)
    case .number(let number): Self.add(number, to: &bytes)
    case .string(let string): Self.quote(string, into: &bytes)
    case .array(let elements):
      Self.list(elements, "[", "]", into: &bytes, indent: indent) { element, bytes, indent in
        element.write(into: &bytes, indent: indent)
      }
    case .object(let members):
      Self.list(members, "{", "}", into: &bytes, indent: indent) { member, bytes, indent in
        Self.quote(member.key, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if indent != nil { bytes.append(UInt8(ascii: " ")) }
        member.value.write(into: &bytes, indent: indent)
      }
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: Unicode.Scalar, _ close: Unicode.Scalar, into bytes: inout [UInt8],
    indent: Int?, write: (Element, inout [UInt8], Int?) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    let inner = indent.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let inner { newLine(inner, into: &bytes) }
      write(element, &bytes, inner)
    }
    if let indent, !elements.isEmpty { newLine(indent, into: &bytes) }
    bytes.append(UInt8(ascii: close))
  }

  private static func newLine(_ indent: Int, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: indent)
  }

  private static func add(_ string: String, to bytes: inout [UInt8]) {
    var string = string
    string.withUTF8 { bytes.append(contentsOf: $0) }
  }

  /// All at once where nothing has to be escaped, which is nearly always.
  private static func quote(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      if text.contains(where: isEscaped) {
        for byte in text { addEscaped(byte, to: &bytes) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func addEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""): add("\\\"", to: &bytes)
    case UInt8(ascii: "\\"): add("\\\\", to: &bytes)
    case UInt8(ascii: "\n"): add("\\n", to: &bytes)
    case UInt8(ascii: "\r"): add("\\r", to: &bytes)
    case UInt8(ascii: "\t"): add("\\t", to: &bytes)
    case _ where isEscaped(byte):
      add("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))", to: &bytes)
    default: bytes.append(byte)
    }
  }

  /// `number` in plain decimals, rounded half away from zero, never an exponent; the sign of a value that
  /// rounds to zero is dropped. Not finite or beyond 64 bits: `0` with the decimals.
  package static func fixed(_ number: Double, decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded(.toNearestOrAwayFromZero)
    var rest = Int64(exactly: scaled)?.magnitude ?? 0
    let isNegative = number < 0 && rest != 0
    // Digit by digit from the right: every press writes dozens of these, and strings are slow to grow.
    return String(unsafeUninitializedCapacity: 32) { bytes in
      var start = 32
      func put(_ byte: UInt8) {
        start -= 1
        bytes[start] = byte
      }
      var place = 0
      while rest > 0 || place <= decimals {
        if place == decimals, decimals > 0 { put(UInt8(ascii: ".")) }
        put(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
        place += 1
      }
      if isNegative { put(UInt8(ascii: "-")) }
      for index in start..<32 { bytes[index - start] = bytes[index] }
      return 32 - start
    }
  }
}
