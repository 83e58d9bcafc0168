import Testing

@testable import DaemonCore

/// Words read as the string would that is written alike.
@Suite struct WordsTests {
  static let numbers: [Int] = [0, 1, 9, 10, 99, 100, 1970, -1, -10, .max, .min]

  @Test(arguments: numbers) func numbersAreDecimal(_ number: Int) {
    #expect(String("\(number)" as Words) == "\(number)")
    #expect(String("<\(Int64(number))|\(number.magnitude)>" as Words) == "<\(number)|\(number.magnitude)>")
  }

  @Test func leadingZerosFillTheWidth() {
    let texts = [(0, 2), (7, 2), (42, 2), (123, 2), (1, 4), (-5, 3), (5, 0)].map { padded($0, to: $1) }

    #expect(texts == ["00", "07", "42", "123", "0001", "-005", "5"])
  }

  @Test func textsKeepTheirBytes() {
    let texts = ["", "a", "Jalan Melati 5, Bogor, Jawa Barat", "é", "🆘", "e\u{301}", "שרה", "\u{0}\r\n"]
    for text in texts {
      let words: Words = "🔔 \(text)\("x" as Words)é"
      #expect(Array(String(words).utf8) == Array("🔔 \(text)xé".utf8))
      #expect("\(words)" == "🔔 \(text)xé")
    }
    #expect(String("" as Words).isEmpty && String("—" as Words) == "—")
  }

  @Test func everyLineButTheFirstFollowsABreak() {
    var words = Words(capacity: 0)
    for line in ["a", "", "b"] { words.add(line: line) }
    words.add(line: "c" as Words)

    #expect(String(words) == "a\n\nb\nc")
  }

  static let zones: [(Int, String)] = [
    (0, "UTC"), (59, "UTC"), (-59, "UTC"), (25_200, "UTC+7"), (-12_600, "UTC-3:30"), (20_700, "UTC+5:45"),
    (60, "UTC+0:01"), (86_400, "UTC+24"),
  ]

  @Test(arguments: zones) func aMomentTellsItsZone(_ offset: Int, _ text: String) {
    #expect(String("\(zone: CalendarParts(milliseconds: 0, utcOffset: offset))" as Words) == text)
  }
}
