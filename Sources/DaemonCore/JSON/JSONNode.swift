/// A JSON value and where it stands in its text, for messages that name the place.
package struct JSONNode: Sendable {
  package enum Content: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  package struct Member: Sendable {
    package var key: String
    /// Of the key's first quote.
    package var keyOffset: Int
    package var value: JSONNode
  }

  /// Bytes before the value's first one.
  package var offset: Int
  package var content: Content

  /// The value without places.
  package var json: JSON {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.map { JSON.Member(key: $0.key, value: $0.value.json) })
    }
  }

  /// What it is, for messages.
  package var typeName: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// Why a text is no JSON, and where.
package struct JSONError: Error, Hashable, Sendable {
  /// Bytes before the place.
  package var offset: Int
  package var reason: String
}

/// A place in a text as editors count it.
package struct TextPosition: Hashable, Comparable, Sendable {
  /// From 1; `\n`, `\r\n` and `\r` end a line.
  package var line: Int
  /// From 1, in Unicode scalars; a byte-order mark is none.
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package init(offset: Int, in bytes: [UInt8]) {
    line = 1
    column = 1
    advance(over: 0..<min(max(0, offset), bytes.count), of: bytes)
  }

  /// Moves over `range`, whose beginning is this place.
  mutating func advance(over range: Range<Int>, of bytes: [UInt8]) {
    var index = range.lowerBound
    if index == 0, bytes.starts(with: JSONParser.byteOrderMark) { index = 3 }
    while index < range.upperBound {
      let byte = bytes[index]
      let isPair = byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
      if byte == 0x0A || (byte == 0x0D && !isPair) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 && !isPair {
        column += 1
      }
      index += 1
    }
  }

  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
