import Testing

@testable import DaemonCore

/// Nearly every text is clean and is found to be so by its bytes; that must never be said of one that is not.
@Suite struct CleanTextTests {
  /// Planes 0 and 1, which hold all that is cleaned away or turns a line, and the last character of all.
  private static let scalars = (Array(0...0x1FFFF) + [0x10FFFF]).compactMap { Unicode.Scalar(UInt32($0)) }

  @Test func everyCharacterIsCleanedWhereverItStands() {
    for scalar in Self.scalars {
      let text = String(Character(scalar))
      #expect(text.onOneLine == text.cleaned(keepingIsolates: false), "U+\(String(scalar.value, radix: 16))")
    }
    for scalar in Self.scalars where Self.isInteresting(scalar) {
      for text in ["a\(scalar)b", "a\(scalar)", "\(scalar)b", " \(scalar) ", "a \(scalar)b", "a\(scalar) b"] {
        for keepingIsolates in [false, true] {
          let clean = text.cleaned(keepingIsolates: keepingIsolates)
          #expect(
            text.onOneLine(keepingIsolates: keepingIsolates) == clean, "\(text.unicodeScalars.map(\.value))")
        }
      }
    }
  }

  /// All of the first blocks, then where something is cleaned away and beside it.
  private static func isInteresting(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x6FF, 0x1FF0...0x2080, 0xFEF0...0x10000: true
    default: false
    }
  }

  @Test func randomTextsAreCleanedAlike() {
    let pool: [Unicode.Scalar] = [
      " ", " ", "a", "~", "\n", "\t", "\u{7F}", "\u{85}", "\u{A0}", "é", "ß", "\u{61C}", "ש", "\u{200D}",
      "\u{200E}", "\u{2028}", "…", "\u{2066}", "\u{2068}", "\u{2069}", "日", "\u{FEFF}", "\u{FFFA}", "🆘",
    ]
    var entropy = Entropy(high: 3, low: 4)
    for _ in 0..<10_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<entropy.next() % 8 { text.append(pool[Int(entropy.next() % UInt64(pool.count))]) }
      for keepingIsolates in [false, true] {
        let clean = String(text).cleaned(keepingIsolates: keepingIsolates)
        #expect(String(text).onOneLine(keepingIsolates: keepingIsolates) == clean, "\(text.map(\.value))")
        #expect(clean.onOneLine(keepingIsolates: keepingIsolates) == clean, "\(text.map(\.value))")
      }
    }
  }

  /// Source: Unicode, DerivedBidiClass.txt: the blocks whose unassigned characters are R or AL.
  @Test func exactlyWhatIsWrittenFromRightToLeftIsIsolated() {
    let turning: [ClosedRange<UInt32>] = [
      0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
    ]
    for scalar in Self.scalars {
      let text = "a\(scalar)"
      let isTurning = turning.contains { $0.contains(scalar.value) }
      #expect((text.isolated != text) == isTurning, "U+\(String(scalar.value, radix: 16))")
    }
  }
}
