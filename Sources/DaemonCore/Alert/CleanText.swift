extension String {
  /// On one line and without invisible characters that could reorder or hide what stands beside it.
  ///
  /// Line breaks and tabs become spaces; other control characters, the bidirectional controls
  /// (U+061C, U+200E–F, U+202A–E, U+2066–9), U+FFF9–B and U+FEFF go. Joiners stay: emoji and many scripts need them.
  package var onOneLine: String { onOneLine(keepingIsolates: false) }

  /// Of a text of ours, in which `isolated` has put isolates.
  func onOneLine(keepingIsolates: Bool) -> String {
    isSurelyClean ? self : cleaned(keepingIsolates: keepingIsolates)
  }

  /// Whether a look at the bytes shows that `cleaned` changes nothing, which is so of nearly every text. False also
  /// for some clean ones: where a character begins with a byte with which one begins that has to go.
  private var isSurelyClean: Bool {
    var text = self
    return text.withUTF8 { bytes in
      // As after a space, so that one at the beginning counts as the second.
      var previous = UInt8(ascii: " ")
      for byte in bytes {
        switch byte {
        case 0x21...0x7E: previous = byte
        case 0x20 where previous == 0x20: return false
        // With the last four begin U+0080 to U+009F, U+061C, U+200E to U+2069, and U+FEFF to U+FFFB.
        case 0...0x1F, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: return false
        default: previous = byte
        }
      }
      return previous != 0x20 || bytes.isEmpty
    }
  }

  func cleaned(keepingIsolates: Bool) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x2068...0x2069: if keepingIsolates { clean.append(scalar) }
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: if clean.last != " " { clean.append(" ") }
      case 0...0x1F, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066, 0x2067, 0xFEFF,
        0xFFF9...0xFFFB:
        break
      case 0x20: if clean.last != " " { clean.append(" ") }
      default: clean.append(scalar)
      }
    }
    while clean.last == " " { clean.removeLast() }
    return String(clean.first == " " ? clean.dropFirst() : clean[...])
  }

  /// Between isolates where it holds anything that is written from right to left: it then neither turns the line
  /// round nor the numbers beside it. Source: Unicode UAX #9, FSI and PDI.
  var isolated: String {
    isTurning ? "\u{2068}\(self)\u{2069}" : self
  }

  private var isTurning: Bool {
    // No character below U+0580 has a byte from 0xD6 on, and most texts have no other.
    guard utf8.contains(where: { $0 >= 0xD6 }) else { return false }
    return unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }

  /// The longest beginning that fits in `limit` UTF-16 units and ends between two characters as people see
  /// them.
  package func prefix(utf16 limit: Int) -> Substring {
    var (used, end) = (0, startIndex)
    while end < endIndex {
      used += self[end].utf16.count
      if used > limit { break }
      end = index(after: end)
    }
    return self[..<end]
  }
}
