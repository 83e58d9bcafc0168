import Foundation
import Testing

@testable import DaemonCore

/// Spans, dates, names and templates as people write them.
@Suite struct TextAndTimeTests {
  static let spans: [(String, Duration?)] = [
    ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("10m", .seconds(600)), ("2h", .seconds(7200)),
    ("7d", .seconds(7 * 86_400)), ("0s", .zero), ("0ms", .zero), ("007s", .seconds(7)),
    ("36600d", .seconds(36_600 * 86_400)),
    ("", nil), ("s", nil), ("30", nil), ("30 s", nil), (" 30s", nil), ("30s ", nil), ("+30s", nil),
    ("-30s", nil),
    ("1.5s", nil), ("1e3s", nil), ("30S", nil), ("30sec", nil), ("1m30s", nil), ("٣s", nil), ("1w", nil),
    ("36601d", nil),
    ("9223372036854775807d", nil), ("9223372036854775808ms", nil), ("9223372036854775807ms", nil),
  ]

  @Test(arguments: spans) func spansAreAWholeNumberAndAUnit(_ text: String, _ span: Duration?) {
    #expect(Duration(text: text) == span)
  }

  static let texts: [(Duration, String)] = [
    (.zero, "0s"), (.milliseconds(1), "1ms"), (.milliseconds(1500), "1500ms"), (.seconds(30), "30s"),
    (.seconds(90), "90s"),
    (.seconds(60), "1m"), (.seconds(3600), "1h"), (.seconds(86_400), "1d"), (.seconds(-60), "-1m"),
    (.nanoseconds(5), "0s"),
  ]

  @Test(arguments: texts) func spansAreWrittenInTheLargestUnit(_ span: Duration, _ text: String) {
    #expect(span.text == text)
    if span > .milliseconds(0), span.wholeNanoseconds >= 1_000_000 { #expect(Duration(text: text) == span) }
  }

  @Test func datesAgreeWithTheCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    // Foundation's calendar is the Julian one before 15 October 1582.
    var seconds: Int64 = -12_219_206_400
    var checked = 0
    while seconds < 253_402_300_800 {
      let date = Date(timeIntervalSince1970: Double(seconds))
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      let ours = CalendarParts(milliseconds: seconds * 1000 + 999, utcOffset: 0)
      #expect([ours.year, ours.month, ours.day] == [parts.year, parts.month, parts.day], "\(seconds)")
      #expect(
        [ours.hour, ours.minute, ours.second] == [parts.hour, parts.minute, parts.second], "\(seconds)")
      seconds += 86_400 * 41 + 12_345
      checked += 1
    }
    #expect(checked > 50_000)
  }

  static let moments: [(Int64, String)] = [
    (0, "1970-01-01T00:00:00Z"), (-1000, "1969-12-31T23:59:59Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
    (1_709_251_199_999, "2024-02-29T23:59:59Z"), (4_107_542_400_000, "2100-03-01T00:00:00Z"),
    (1_796_004_847_000, "2026-11-30T02:14:07Z"), (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
    (253_402_300_799_000, "9999-12-31T23:59:59Z"), (253_402_300_800_000, "9999-12-31T23:59:59Z"),
    (.max, "9999-12-31T23:59:59Z"), (.min, "0001-01-01T00:00:00Z"),
  ]

  @Test(arguments: moments) func momentsAreWrittenByRFC3339(_ milliseconds: Int64, _ text: String) {
    #expect(WallTime(milliseconds: milliseconds, utcOffset: 3600, trusted: true).utcText == text)
  }

  @Test func localTimeHasItsOffset() {
    let moment = WallTime(milliseconds: 0, utcOffset: -3600, trusted: true)
    #expect((moment.local.year, moment.local.month, moment.local.day) == (1969, 12, 31))
    #expect(moment.local.timeText == "23:00:00")
    for (milliseconds, offset) in [(Int64.max, Int.max), (.min, .min)] {
      let local = WallTime(milliseconds: milliseconds, utcOffset: offset, trusted: true).local
      #expect(local.timeText.utf8.count == 8 && (1...9999).contains(local.year))
    }
  }

  @Test func timeDoesNotOverflow() {
    let latest = WallTime(milliseconds: .max, utcOffset: 0, trusted: true)
    #expect(latest.advanced(by: .seconds(1)).milliseconds == .max)
    #expect(latest.advanced(by: .milliseconds(-1)).milliseconds == .max - 1)
  }

  static let names: [(String, String?)] = [
    ("wearer", "wearer"), ("Wearer", "wearer"), ("waerer", "wearer"), ("wearr", "wearer"),
    ("werarer", "wearer"),
    ("contact", "contacts"), ("gp", "gps"), ("gateway", "gateways"), ("zzzzz", nil), ("", nil), ("x", nil),
    (String(repeating: "wearer", count: 20), nil),
  ]

  @Test(arguments: names) func theNearestNameIsTheOneMeant(_ name: String, _ nearest: String?) {
    #expect(NearestName.find(name, among: ["wearer", "gps", "contacts", "gateways"]) == nearest)
    #expect(NearestName.find(name, among: []) == nil)
  }

  static let templates: [(String, [Template.Piece]?)] = [
    ("", []), ("a", [.literal("a")]), ("{wearer}", [.placeholder(.wearer)]),
    ("{{wearer}}", [.literal("{wearer}")]),
    ("a{lat},{lon}b", [.literal("a"), .placeholder(.lat), .literal(","), .placeholder(.lon), .literal("b")]),
    ("{", nil), ("}", nil), ("{}", nil), ("{ wearer }", nil), ("{Wearer}", nil), ("{wearer", nil),
    ("a}b", nil),
    ("{{{map}}}", [.literal("{"), .placeholder(.map), .literal("}")]), ("{to}", nil),
    ("🆘{time}", [.literal("🆘"), .placeholder(.time)]),
  ]

  @Test(arguments: templates) func aTemplateIsLiteralsAndPlaceholders(
    _ text: String, _ pieces: [Template.Piece]?
  ) {
    #expect((try? Template.parse(text).get())?.pieces == pieces)
  }

  static let bodies: [(String, [WebhookTemplate.Piece]?)] = [
    ("", []), ("{}", [.literal("{}")]),
    ("{\"a\":{text}}", [.literal("{\"a\":"), .placeholder(.text), .literal("}")]),
    ("{{text}}", [.literal("{"), .placeholder(.text), .literal("}")]), ("{texd}", nil),
    ("{a b}", [.literal("{a b}")]),
    ("{", [.literal("{")]), ("{text", [.literal("{text")]), ("{pressed_at}", [.placeholder(.pressedAt)]),
    ("{\"x\":{}}", [.literal("{\"x\":{}}")]),
  ]

  @Test(arguments: bodies) func aBodysOtherBracesAreThemselves(
    _ text: String, _ pieces: [WebhookTemplate.Piece]?
  ) {
    #expect((try? WebhookTemplate.parse(text).get())?.pieces == pieces)
  }

  /// Reading on from every letter would take 500 billion steps, so without the rule this test does not end.
  @Test func aLongWordInABodyIsReadOnce() {
    let word = String(repeating: "a", count: 1_000_000)

    #expect((try? WebhookTemplate.parse(word).get())?.pieces == [.literal(word)])
  }

  @Test func alertIdsSortByTimeAndNeverRepeat() {
    var entropy = Entropy(high: 7, low: 8)
    let moments: [Int64] = [.min, 0, 1, 999, 1_796_004_847_000, 1_796_004_847_001, 253_402_300_799_999]
    let ids = moments.map { milliseconds in
      AlertID.make(at: WallTime(milliseconds: milliseconds, utcOffset: 0, trusted: true), entropy: &entropy)
    }
    #expect(ids.dropFirst() == ids.dropFirst().sorted()[...])
    #expect(
      ids.allSatisfy { id in
        id.count == 26 && id.allSatisfy { "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains($0) }
      })
    let same = (0..<1000).map { _ in AlertID.make(at: Sample.moment, entropy: &entropy) }
    #expect(Set(same).count == same.count && Set(same.map { $0.prefix(10) }).count == 1)
  }

  /// Source: the example of the ULID's reference implementation.
  @Test func anAlertIdBeginsWithItsTime() {
    var entropy = Entropy(high: 7, low: 8)
    let moment = WallTime(milliseconds: 1_469_918_176_385, utcOffset: 0, trusted: true)

    #expect(AlertID.make(at: moment, entropy: &entropy).hasPrefix("01ARYZ6S41"))
  }

  @Test func fractionsLieBelowOneAndReplay() {
    var (entropy, again) = (Entropy(high: 1, low: 2), Entropy(high: 1, low: 2))
    let fractions = (0..<10_000).map { _ in entropy.fraction() }
    #expect(fractions.allSatisfy { (0..<1).contains($0) })
    #expect(abs(fractions.reduce(0, +) / 10_000 - 0.5) < 0.02, "0.02 is seven standard errors")
    #expect(fractions == (0..<10_000).map { _ in again.fraction() })
    #expect(entropy.span(below: .seconds(5)) < .seconds(5))
  }

  static let rough: [(Duration, String)] = [
    (.seconds(-1), "0 s"), (.seconds(119), "119 s"), (.seconds(120), "2 min"), (.seconds(7199), "119 min"),
    (.seconds(7200), "2 h"), (.seconds(172_799), "47 h"), (.seconds(172_800), "2 d"),
  ]

  @Test(arguments: rough) func agesAreToldInOneUnit(_ age: Duration, _ text: String) {
    #expect(age.roughly == text)
  }
}
