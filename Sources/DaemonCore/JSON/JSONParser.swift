/// A strict reader of RFC 8259 that says where and why it stops.
///
/// UTF-8 only, a byte-order mark is skipped, nesting is bounded so that no input exhausts the stack.
package struct JSONParser {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Deeper than any configuration or answer of a gateway.
  package static let depthLimit = 128

  private let bytes: [UInt8]
  private let isRepairing: Bool
  private var index = 0
  private var depth = 0

  /// With `repairing` a text's broken UTF-8 and half surrogate pairs become U+FFFD, as in a text that a server
  /// repeats and has cut in the middle of a character.
  package static func parse(_ bytes: [UInt8], repairing: Bool = false) throws(JSONError) -> JSONNode {
    var parser = JSONParser(bytes: bytes, isRepairing: repairing)
    return try parser.document()
  }

  private init(bytes: [UInt8], isRepairing: Bool) {
    self.bytes = bytes
    self.isRepairing = isRepairing
  }

  private mutating func document() throws(JSONError) -> JSONNode {
    // Nearly every text begins with a letter of ASCII.
    if let first = bytes.first, first >= 0x80 {
      if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
        throw JSONError(offset: 0, reason: "the text is UTF-16; save it as UTF-8")
      }
      if bytes.starts(with: Self.byteOrderMark) { index = 3 }
    }
    if bytes.contains(0), bytes.count > 1, bytes.prefix(4).filter({ $0 == 0 }).count >= 2 {
      throw JSONError(offset: 0, reason: "the text is no UTF-8 (UTF-16 without a mark, or zeros)")
    }
    skipSpace()
    guard index < bytes.count else { throw JSONError(offset: index, reason: "there is nothing in it") }
    let node = try value()
    skipSpace()
    guard index == bytes.count else { throw unexpected("after the end of the value") }
    return node
  }

  private mutating func value() throws(JSONError) -> JSONNode {
    let start = index
    guard let byte = peek else { throw JSONError(offset: index, reason: "a value is missing at the end") }
    switch byte {
    case UInt8(ascii: "{"): return JSONNode(offset: start, content: .object(try object()))
    case UInt8(ascii: "["): return JSONNode(offset: start, content: .array(try array()))
    case UInt8(ascii: "\""): return JSONNode(offset: start, content: .string(try string()))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSONNode(offset: start, content: .number(try number()))
    default: break
    }
    if take("true") { return JSONNode(offset: start, content: .bool(true)) }
    if take("false") { return JSONNode(offset: start, content: .bool(false)) }
    if take("null") { return JSONNode(offset: start, content: .null) }
    throw unexpected("where a value should be")
  }

  private mutating func object() throws(JSONError) -> [JSONNode.Member] {
    try enter()
    defer { depth -= 1 }
    var members: [JSONNode.Member] = []
    if takeAfterSpace(UInt8(ascii: "}")) { return members }
    repeat {
      skipSpace()
      let keyOffset = index
      guard peek == UInt8(ascii: "\"") else {
        if peek == UInt8(ascii: "}") {
          throw JSONError(offset: index, reason: "a comma before } is not JSON")
        }
        throw unexpected("where a key in quotes should be")
      }
      let key = try string()
      guard takeAfterSpace(UInt8(ascii: ":")) else { throw unexpected("where a colon should be") }
      skipSpace()
      members.append(JSONNode.Member(key: key, keyOffset: keyOffset, value: try value()))
      if takeAfterSpace(UInt8(ascii: "}")) { return members }
    } while takeAfterSpace(UInt8(ascii: ","))
    throw unexpected("where a comma or } should be")
  }

  private mutating func array() throws(JSONError) -> [JSONNode] {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONNode] = []
    if takeAfterSpace(UInt8(ascii: "]")) { return elements }
    repeat {
      skipSpace()
      if peek == UInt8(ascii: "]") { throw JSONError(offset: index, reason: "a comma before ] is not JSON") }
      elements.append(try value())
      if takeAfterSpace(UInt8(ascii: "]")) { return elements }
    } while takeAfterSpace(UInt8(ascii: ","))
    throw unexpected("where a comma or ] should be")
  }

  private mutating func enter() throws(JSONError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw JSONError(offset: index, reason: "nested deeper than \(Self.depthLimit) levels")
    }
    index += 1
  }

  /// Source: RFC 8259 §6.
  private mutating func number() throws(JSONError) -> String {
    let start = index
    if peek == UInt8(ascii: "-") { index += 1 }
    if peek == UInt8(ascii: "0") {
      index += 1
      if let next = peek, Self.isDigit(next) {
        throw JSONError(offset: start, reason: "a number may not begin with 0")
      }
    } else {
      try digits()
    }
    if peek == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      index += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    guard let byte = peek, Self.isDigit(byte) else { throw unexpected("where a digit should be") }
    while let byte = peek, Self.isDigit(byte) { index += 1 }
  }

  private mutating func string() throws(JSONError) -> String {
    let start = index
    index += 1
    var text = ""
    var plain = index
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        let end = try utf8(plain..<index)
        index += 1
        return text.isEmpty ? end : text + end
      case UInt8(ascii: "\\"):
        text += try utf8(plain..<index)
        text.unicodeScalars.append(try escape())
        plain = index
      case 0..<0x20:
        throw JSONError(
          offset: index, reason: "a line break or control character in a text must be written as an escape")
      default:
        index += 1
      }
    }
    throw JSONError(offset: start, reason: "the text that begins here has no closing quote")
  }

  private func utf8(_ range: Range<Int>) throws(JSONError) -> String {
    // Plain letters are always valid, and to look closer takes long.
    if isRepairing || bytes[range].allSatisfy({ $0 < 0x80 }) {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw JSONError(offset: range.lowerBound, reason: "the text is not valid UTF-8")
    }
    return text
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard let byte = peek else { throw JSONError(offset: start, reason: "the escape is cut off") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape(start)
    default: throw JSONError(offset: start, reason: "there is no such escape in JSON")
    }
  }

  private mutating func unicodeEscape(_ start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try fourHexDigits(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let end = index
    if first < 0xDC00, take("\\u"), case let second = try fourHexDigits(start),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    {
      return scalar
    }
    guard isRepairing else { throw JSONError(offset: start, reason: "half of a surrogate pair") }
    index = end
    return "\u{FFFD}"
  }

  private mutating func fourHexDigits(_ start: Int) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw JSONError(offset: start, reason: "\\u needs four hexadecimal digits")
      }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return code
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func takeAfterSpace(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    index += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard index + length <= bytes.count else { return false }
    for offset in 0..<length where bytes[index + offset] != word.utf8Start[offset] { return false }
    index += length
    return true
  }

  private func unexpected(_ place: String) -> JSONError {
    guard let byte = peek else { return JSONError(offset: index, reason: "the text ends \(place)") }
    if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") {
      return JSONError(offset: index, reason: "comments are not JSON")
    }
    let shown = (0x21..<0x7F).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "a character"
    return JSONError(offset: index, reason: "\(shown) \(place)")
  }
}
