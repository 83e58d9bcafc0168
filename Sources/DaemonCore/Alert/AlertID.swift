/// Names for alerts that sort by time and are never given twice. Source: the ULID specification.
package enum AlertID {
  private static let digits: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

  /// 26 characters: 48 bits of milliseconds since 1970, 80 random bits.
  package static func make(at moment: WallTime, entropy: inout Entropy) -> String {
    let time = UInt64(max(0, moment.milliseconds)) & 0xFFFF_FFFF_FFFF
    let high = entropy.next()
    let low = entropy.next()
    return String(unsafeUninitializedCapacity: 26) { bytes in
      // Safe: 26 bytes, each written once; and there are 32 digits.
      for index in 0..<26 {
        let bits =
          switch index {
          case ..<10: time >> UInt64(45 - 5 * index)
          case ..<18: high >> UInt64(5 * index - 50)
          default: low >> UInt64(5 * index - 90)
          }
        bytes[index] = digits.utf8Start[Int(bits & 31)]
      }
      return 26
    }
  }
}
