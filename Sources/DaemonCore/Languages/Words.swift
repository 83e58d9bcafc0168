/// A piece of text that is put together from others, written like a string: in quotes, with values in it.
///
/// It is kept as UTF-8 because a `String` is slow to grow: a message consists of some thirty pieces, and every press
/// waits for all of them.
package struct Words: Hashable, Sendable {
  package private(set) var bytes: [UInt8] = []

  init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  mutating func append(_ text: String) { bytes.append(text: text) }

  mutating func append(_ words: Words) {
    words.bytes.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  /// In decimal, with leading zeros up to `width` digits.
  mutating func append(_ number: some BinaryInteger, width: Int = 1) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(UInt64(number.magnitude), width: width)
  }

  private mutating func appendDigits(_ number: UInt64, width: Int) {
    if number > 9 || width > 1 { appendDigits(number / 10, width: width - 1) }
    bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func add(line: String) {
    breakLine()
    append(line)
  }

  mutating func add(line: Words) {
    breakLine()
    append(line)
  }

  /// Before every line but the first.
  private mutating func breakLine() {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
  }
}

extension Words: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  package init(stringLiteral text: StaticString) {
    appendLiteral(text)
  }

  package init(literalCapacity: Int, interpolationCount: Int) {
    // Most of what is put in is a number, a name or a few words.
    self.init(capacity: literalCapacity + 24 * interpolationCount)
  }

  package init(stringInterpolation words: Words) {
    self = words
  }

  package mutating func appendLiteral(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  package mutating func appendInterpolation(_ text: String) { append(text) }
  package mutating func appendInterpolation(_ words: Words) { append(words) }
  package mutating func appendInterpolation(_ number: some BinaryInteger, width: Int = 1) {
    append(number, width: width)
  }
}

extension Words {
  /// `4 m`, from a kilometre on `2 km`.
  mutating func appendInterpolation(distance metres: Double) {
    if metres < 999.5 {
      append(max(1, Int(metres + 0.5)))
      appendLiteral(" m")
    } else {
      // Up, so that nobody searches too small a circle.
      append((Int(metres) + 999) / 1000)
      appendLiteral(" km")
    }
  }
}

extension Words: CustomStringConvertible {
  package var description: String { String(self) }
}

extension String {
  package init(_ words: Words) {
    self.init(decoding: words.bytes, as: UTF8.self)
  }
}

extension [UInt8] {
  /// At once: as a sequence of bytes, a text is looked at one by one.
  package mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }
}
