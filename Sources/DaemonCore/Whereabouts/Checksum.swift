/// Tells a damaged block from a whole one. Source: CRC-32 as in zlib and IEEE 802.3.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
  }

  /// A lookup spends most of its time here: through a sequence it took ten times as long.
  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var sum = 0xFFFF_FFFF as UInt32
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return ~sum
      }
    }
  }

  static func of(_ bytes: [UInt8]) -> UInt32 { of(bytes[...]) }
}
