/// Writes JSON as it goes: UTF-8, on one line or indented, control characters escaped.
///
/// Every press waits for some documents: no tree is built of them first, and nothing grows byte by byte.
struct JSONWriter: ~Copyable {
  /// Owned: replaced in `grow` only, freed in `deinit` only. What was written stands in front.
  private var buffer: UnsafeMutableRawPointer
  private var capacity = 2048
  private var count = 0
  /// How far what stands on this level is indented; nil: everything is on one line.
  private var indent: Int?
  /// Whether nothing stands yet behind the bracket that was opened last.
  private var isFirst = true

  init(indent: Int? = nil) {
    self.indent = indent
    buffer = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { buffer.deallocate() }

  var bytes: [UInt8] { Array(written) }

  var text: String { String(decoding: written, as: UTF8.self) }

  // MARK: values

  // What is never inlined here stands once, instead of at each member of each document: a press runs through nearly
  // all of these places, each of them once.

  @inline(never)
  mutating func null() { copy("null") }

  mutating func bool(_ value: Bool) { copy(value ? "true" : "false") }

  @inline(never)
  mutating func integer(_ number: Int) { self.number(PlainNumber(number)) }

  @inline(never)
  mutating func number(_ number: PlainNumber) {
    reserve(number.length)
    // Safe: there is room for it, and nobody else sees the buffer.
    number.write(into: UnsafeMutableRawBufferPointer(start: buffer + count, count: number.length))
    count += number.length
  }

  /// As it was written by someone else.
  mutating func number(_ digits: String) {
    var digits = digits
    digits.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
  }

  @inline(never)
  mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { quote(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  mutating func array(_ elements: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    elements(&self)
    close(UInt8(ascii: "]"))
  }

  mutating func element(_ value: some JSONWritable) {
    separate()
    value.write(to: &self)
  }

  /// Keys are not compared: one that is given twice stands twice.
  @inline(__always)
  mutating func object(_ members: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  /// nil is written as null.
  mutating func member(_ key: StaticString, _ value: (some JSONWritable)?) {
    self.key(key)
    if let value { value.write(to: &self) } else { null() }
  }

  @inline(never)
  mutating func member(_ key: StaticString, _ text: String?) {
    self.key(key)
    if let text { string(text) } else { null() }
  }

  @inline(never)
  mutating func member(_ key: StaticString, _ number: Int?) {
    self.key(key)
    if let number { integer(number) } else { null() }
  }

  @inline(never)
  mutating func member(_ key: StaticString, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  /// nil, and what is no number, is written as null.
  @inline(never)
  mutating func member(_ key: StaticString, _ number: Double?, decimals: Int) {
    self.key(key)
    if let number, number.isFinite { self.number(PlainNumber(number, decimals: decimals)) } else { null() }
  }

  /// Its value has to follow. It is a word of ours, in which nothing has to be escaped.
  @inline(never)
  mutating func key(_ key: StaticString) {
    separate()
    // For the quotes and `endKey` too.
    reserve(key.utf8CodeUnitCount + 4)
    place(UInt8(ascii: "\""))
    // Safe: the bytes are part of the program.
    place(UnsafeRawBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    place(UInt8(ascii: "\""))
    endKey()
  }

  /// The same for any key.
  mutating func key(named key: String) {
    separate()
    string(key)
    reserve(2)
    endKey()
  }

  // MARK: what stands between them

  /// Needs room for two bytes.
  @inline(__always)
  private mutating func endKey() {
    place(UInt8(ascii: ":"))
    if indent != nil { place(UInt8(ascii: " ")) }
  }

  private mutating func open(_ bracket: UInt8) {
    put(bracket)
    isFirst = true
    indent = indent.map { $0 + 2 }
  }

  private mutating func close(_ bracket: UInt8) {
    indent = indent.map { $0 - 2 }
    if !isFirst { beginLine() }
    put(bracket)
    isFirst = false
  }

  @inline(__always)
  private mutating func separate() {
    if !isFirst { put(UInt8(ascii: ",")) }
    isFirst = false
    beginLine()
  }

  @inline(__always)
  private mutating func beginLine() {
    if let indent { beginLine(indent) }
  }

  @inline(never)
  private mutating func beginLine(_ indent: Int) {
    put(UInt8(ascii: "\n"))
    for _ in 0..<indent { put(UInt8(ascii: " ")) }
  }

  // MARK: bytes

  private var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: buffer, count: count) }

  /// Makes room for so many more bytes.
  @inline(__always)
  private mutating func reserve(_ size: Int) {
    if size > capacity - count { grow(size) }
  }

  @inline(never)
  private mutating func grow(_ size: Int) {
    capacity = 2 * (count + size)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    // Safe: from here on the larger one is owned, and the other one is gone.
    larger.copyMemory(from: buffer, byteCount: count)
    buffer.deallocate()
    buffer = larger
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    reserve(1)
    place(byte)
  }

  /// There has to be room for it.
  @inline(__always)
  private mutating func place(_ byte: UInt8) {
    buffer.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// There has to be room for them.
  @inline(__always)
  private mutating func place(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { (buffer + count).copyMemory(from: start, byteCount: bytes.count) }
    count &+= bytes.count
  }

  private mutating func copy(_ word: StaticString) {
    // Safe: the bytes are part of the program.
    copy(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }

  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    place(bytes)
  }

  /// Eight bytes at a time: nearly always none of them has to be escaped.
  private mutating func quote(_ text: UnsafeRawBufferPointer) {
    // For what is left as it stands, of which the last ones are put as eight, and the quotes.
    reserve(text.count + 10)
    place(UInt8(ascii: "\""))
    var index = 0
    while index < text.count {
      let eight = Self.eight(of: text, from: index)
      // Safe: there is room for it. What stands behind the plain ones is overwritten, or never counted.
      buffer.storeBytes(of: eight.littleEndian, toByteOffset: count, as: UInt64.self)
      let plain = min(Self.plainBytes(of: eight), text.count - index)
      count += plain
      index += plain
      if plain < 8, index < text.count {
        escape(text[index])
        index += 1
        reserve(text.count - index + 9)
      }
    }
    place(UInt8(ascii: "\""))
  }

  /// The first one is the lowest byte; where there are fewer than eight, zeros follow.
  @inline(__always)
  private static func eight(of text: UnsafeRawBufferPointer, from index: Int) -> UInt64 {
    var eight: UInt64 = 0
    if text.count - index >= 8 {
      eight = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    } else {
      // Safe: they are fewer than eight.
      withUnsafeMutableBytes(of: &eight) {
        $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[index...]))
      }
    }
    return UInt64(littleEndian: eight)
  }

  /// How many of eight bytes come before the first one that has to be escaped: a control character, DEL, a quote or a
  /// backslash. Source: Sean Eron Anderson, "Bit Twiddling Hacks", hasless and haszero: of the high bits that they set,
  /// the lowest one is right.
  private static func plainBytes(of eight: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highBits: UInt64 = 0x8080_8080_8080_8080
    func zeros(_ bytes: UInt64) -> UInt64 { (bytes &- ones) & ~bytes }
    let controls = (eight &- ones &* 0x20) & ~eight
    let deletes = zeros(eight ^ ones &* 0x7F)
    let quotes = zeros(eight ^ ones &* UInt64(UInt8(ascii: "\"")))
    let backslashes = zeros(eight ^ ones &* UInt64(UInt8(ascii: "\\")))
    return ((controls | deletes | quotes | backslashes) & highBits).trailingZeroBitCount / 8
  }

  private mutating func escape(_ byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
    case UInt8(ascii: "\n"): put(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): put(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): put(UInt8(ascii: "t"))
    default:
      copy("u00")
      for digit in [byte >> 4, byte & 15] {
        put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}
