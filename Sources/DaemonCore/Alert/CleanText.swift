extension String {
  /// On one line and without invisible characters that could reorder or hide what stands beside it.
  ///
  /// Line breaks and tabs become spaces; other control characters, the bidirectional controls
  /// (U+200E–F, U+202A–E, U+2066–9) and U+FEFF go. Joiners stay: emoji and many scripts need them.
  package var onOneLine: String {
    var clean = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D, 0x85, 0x2028, 0x2029: if clean.last != " " { clean.append(" ") }
      case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: break
      case 0x20: if clean.last != " " { clean.append(" ") }
      default: clean.append(scalar)
      }
    }
    while clean.last == " " { clean.removeLast() }
    return String(clean.first == " " ? clean.dropFirst() : clean[...])
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
