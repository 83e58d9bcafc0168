/// Names for alerts that sort by time and are never given twice. Source: the ULID specification.
package enum AlertID {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// 26 characters: 48 bits of milliseconds since 1970, 80 random bits.
  package static func make(at moment: WallTime, entropy: inout Entropy) -> String {
    let time = UInt64(max(0, moment.milliseconds)) & 0xFFFF_FFFF_FFFF
    let high = entropy.next()
    let low = entropy.next()
    return String(unsafeUninitializedCapacity: 26) { bytes in
      // Safe: 26 bytes, each written once.
      for index in 0..<10 { bytes[index] = digits[Int(time >> UInt64(45 - 5 * index) & 31)] }
      for index in 0..<8 { bytes[10 + index] = digits[Int(high >> UInt64(5 * index) & 31)] }
      for index in 0..<8 { bytes[18 + index] = digits[Int(low >> UInt64(5 * index) & 31)] }
      return 26
    }
  }
}
