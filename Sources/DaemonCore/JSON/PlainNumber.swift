/// A number as JSON and people get it: plain decimals, never an exponent.
struct PlainNumber {
  private let isNegative: Bool
  /// Without the point.
  private let magnitude: UInt64
  private let decimals: Int
  /// The zeros in front of the point and behind it are counted.
  private let digits: Int

  init(_ number: Int) {
    self.init(isNegative: number < 0, magnitude: UInt64(number.magnitude), decimals: 0)
  }

  /// Rounded half away from zero; the sign of a value that rounds to zero is dropped. Not finite or beyond 64 bits: `0`
  /// with the decimals.
  init(_ number: Double, decimals: Int) {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded(.toNearestOrAwayFromZero)
    let magnitude = Int64(exactly: scaled)?.magnitude ?? 0
    self.init(isNegative: number < 0 && magnitude != 0, magnitude: magnitude, decimals: decimals)
  }

  private init(isNegative: Bool, magnitude: UInt64, decimals: Int) {
    self.isNegative = isNegative
    self.magnitude = magnitude
    self.decimals = decimals
    var count = 1
    var rest = magnitude / 10
    while rest > 0 {
      count += 1
      rest /= 10
    }
    digits = max(count, decimals + 1)
  }

  /// In bytes.
  var length: Int { digits + (decimals > 0 ? 1 : 0) + (isNegative ? 1 : 0) }

  /// Puts it at the beginning of `bytes`, which must have room for `length`.
  func write(into bytes: UnsafeMutableRawBufferPointer) {
    // From the right, where the digits come from.
    var index = length
    func put(_ byte: UInt8) {
      index -= 1
      bytes[index] = byte
    }
    var rest = magnitude
    for place in 0..<digits {
      if place == decimals, decimals > 0 { put(UInt8(ascii: ".")) }
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    if isNegative { put(UInt8(ascii: "-")) }
  }

  var text: String {
    String(unsafeUninitializedCapacity: length) { bytes in
      // Safe: that is the capacity.
      write(into: UnsafeMutableRawBufferPointer(bytes))
      return length
    }
  }
}
