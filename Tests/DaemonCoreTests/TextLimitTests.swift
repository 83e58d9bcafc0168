import Testing

@testable import DaemonCore

/// Each service counts in its own unit, and a shortened text still says who and where.
@Suite struct TextLimitTests {
  /// Source: 3GPP TS 23.038 and 23.040; the numbers are those of every SMS provider's own table.
  @Test(arguments: [
    ("a", 160, 1), ("a", 161, 2), ("a", 306, 2), ("a", 307, 3), ("é", 160, 1), ("é", 161, 2),
    // An escaped character takes two septets and stays in one part.
    ("€", 80, 1), ("€", 81, 2), ("€", 152, 2), ("€", 153, 3),
    ("ê", 70, 1), ("ê", 71, 2), ("ê", 134, 2), ("ê", 135, 3),
    // A pair of UTF-16 units stays in one part: 33 of them in 67.
    ("🆘", 35, 1), ("🆘", 36, 2), ("🆘", 66, 2), ("🆘", 67, 3),
  ])
  func partsOfAnSMS(_ filling: String, _ count: Int, _ parts: Int) {
    #expect(ShortMessage.segments(of: String(repeating: filling, count: count)) == parts)
  }

  static let limits: [TextLimit] = [
    .utf16(300), .characters(300), .bytes(300), .segments(3), .segments(5),
    .all([.utf16(1600), .segments(4)]), .bytes(120), .segments(2),
  ]
  static let fillings = ["a", "é", "日本", "👨‍👩‍👧", "e\u{301}", "x\n", "^", "\"\\", "مرحبا "]

  @Test(arguments: limits, fillings) func keepsWhoAndWhereInEveryUnit(_ limit: TextLimit, _ filling: String) {
    let essentials = ["Ayu needs help", "-6.175400, 106.827200", "https://maps.google.com/?q=-6.1,106.8"]
    let long = "Ayu needs help\n" + String(repeating: filling, count: 900)

    let text = limit.shortened(long, keeping: essentials)

    #expect(limit.fits(text))
    for line in essentials { #expect(text.contains(line)) }
    let whole = Set(long + "…." + essentials.joined(separator: "\n"))
    #expect(text.allSatisfy { whole.contains($0) }, "a character was cut")
  }

  @Test func plainTextIsNotMadeCostlierByItsEnd() {
    let text = TextLimit.segments(4).shortened(String(repeating: "a", count: 2000), keeping: ["Ayu", "1, 2"])

    #expect(ShortMessage.isPlain(text) && text.utf8.count > 590 && text.hasSuffix("...\nAyu\n1, 2"))
  }

  @Test func whatFitsStaysAsItIs() {
    let message = Sample.message()
    for limit in [TextLimit.utf16(4096), .bytes(1000), .segments(6)] {
      #expect(message.text(limit) == message.text)
    }
  }

  @Test func aNameLongerThanTheLimitIsCutBeforeThePlace() {
    let essentials = [String(repeating: "🆘", count: 500), "1, 2", "https://m"]
    for limit in [TextLimit.bytes(100), .utf16(60), .characters(40), .segments(1)] {
      let text = limit.shortened(String(repeating: "z", count: 5000), keeping: essentials)
      #expect(limit.fits(text) && text.hasPrefix("🆘") && text.hasSuffix("\n1, 2\nhttps://m"), "\(limit)")
    }
  }
}
