import Foundation
import Testing

@testable import DaemonCore

/// What is written is read back the same, by others too.
@Suite struct JSONWritingTests {
  struct Decimal: Sendable, CustomTestStringConvertible {
    var number: Double
    var decimals: Int
    var text: String
    var testDescription: String { "\(number) with \(decimals)" }
  }

  static let decimals = [
    Decimal(number: -0.384720, decimals: 6, text: "-0.384720"),
    Decimal(number: -0.0000004, decimals: 6, text: "0.000000"),
    Decimal(number: -0.0000006, decimals: 6, text: "-0.000001"),
    Decimal(number: 179.9999999, decimals: 6, text: "180.000000"),
    Decimal(number: -6.1754, decimals: 6, text: "-6.175400"),
    Decimal(number: 106.8272, decimals: 6, text: "106.827200"),
    Decimal(number: 0, decimals: 6, text: "0.000000"), Decimal(number: -0.0, decimals: 1, text: "0.0"),
    Decimal(number: 0.5, decimals: 0, text: "1"), Decimal(number: -0.5, decimals: 0, text: "-1"),
    Decimal(number: 1.5, decimals: 0, text: "2"), Decimal(number: 2.5, decimals: 0, text: "3"),
    Decimal(number: 0.25, decimals: 1, text: "0.3"), Decimal(number: -0.25, decimals: 1, text: "-0.3"),
    Decimal(number: 0.05, decimals: 2, text: "0.05"), Decimal(number: 9.99, decimals: 1, text: "10.0"),
    Decimal(number: 1e-300, decimals: 6, text: "0.000000"),
    Decimal(number: 1e12, decimals: 1, text: "1000000000000.0"),
    Decimal(number: 1e300, decimals: 6, text: "0.000000"), Decimal(number: 1e300, decimals: 0, text: "0"),
    Decimal(number: .nan, decimals: 2, text: "0.00"), Decimal(number: -.infinity, decimals: 2, text: "0.00"),
  ]

  @Test(arguments: decimals) func fixedPointIsPlainAndRounded(_ decimal: Decimal) {
    #expect(JSON.fixed(decimal.number, decimals: decimal.decimals) == decimal.text)
  }

  @Test func fixedPointAgreesWithPrintf() {
    var entropy = Entropy(high: 1, low: 2)
    for _ in 0..<2000 {
      let number = (entropy.fraction() - 0.5) * 360
      #expect(JSON.fixed(number, decimals: 6) == String(format: "%.6f", number))
    }
  }

  @Test func noNumberIsNull() {
    #expect(JSON.decimal(.nan, 1) == .null)
    #expect(JSON.decimal(.infinity, 1) == .null)
    #expect(JSON.decimal(4.1, 1) == .number("4.1"))
  }

  struct Whole: Sendable, CustomTestStringConvertible {
    var text: String
    var number: Int?
    var testDescription: String { text }
  }

  static let wholes = [
    Whole(text: "17", number: 17), Whole(text: "-0", number: 0), Whole(text: "17.0", number: 17),
    Whole(text: "1e3", number: 1000), Whole(text: "170e-1", number: 17), Whole(text: "17.5", number: nil),
    Whole(text: "1e99", number: nil), Whole(text: "1e999", number: nil), Whole(text: "-1e999", number: nil),
    Whole(text: "9223372036854775807", number: .max), Whole(text: "9223372036854775808", number: nil),
    Whole(text: "-9223372036854775808", number: .min), Whole(text: "-9223372036854775809", number: nil),
    Whole(text: "9223372036854775807.0", number: nil), Whole(text: "9007199254740993.0", number: nil),
    Whole(text: "-9007199254740991.0", number: -9_007_199_254_740_991), Whole(text: "1e-999", number: 0),
  ]

  @Test(arguments: wholes) func wholeNumbersAreExactOrNone(_ whole: Whole) {
    #expect(JSON(parsing: whole.text)?.integer == whole.number)
  }

  @Test func numbersBeyondADoubleAreNone() {
    #expect(JSON.number("1e400").double == nil)
    #expect(JSON.number("1e-400").double == 0)
    #expect(JSON.number("-2.5").double == -2.5)
    #expect(JSON.string("1").double == nil)
    #expect(JSON.string("1").integer == nil)
  }

  static let values: [JSON] = [
    .null, .bool(true), .bool(false), .integer(.min), .number("1.25"), .array([]), .object([]), .string(""),
    .string("\" \\ / \u{0}\u{1}\u{8}\u{9}\u{A}\u{B}\u{C}\u{D}\u{F}\u{10}\u{1F}\u{7F}\u{2028} é 🆘👨‍👩‍👧"),
    .array([.array([]), .fields([("", .null), ("a\nb", .array([.integer(1), .integer(2)]))])]),
  ]

  @Test(arguments: values) func whatIsWrittenReadsBackHereAndElsewhere(_ value: JSON) throws {
    for text in [value.encoded, value.pretty] {
      #expect(JSON(parsing: text) == value)
      let other = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      let written = try JSONSerialization.data(
        withJSONObject: other, options: [.fragmentsAllowed, .sortedKeys])
      #expect(JSON(parsing: Array(written)) == value)
    }
  }

  /// Every length of a text around eight bytes, and every byte at every place of them.
  @Test func everyCharacterIsEscapedWhereverItStands() {
    for scalar in (0...0xFF).compactMap({ Unicode.Scalar(UInt32($0)) }) {
      for (before, after) in (0...17).flatMap({ before in (0...17).map { (before, $0) } }) {
        let text =
          String(repeating: "~", count: before) + String(scalar) + String(repeating: " ", count: after)

        let bytes = JSON.string(text).bytes

        #expect(JSON(parsing: bytes)?.string == text)
        #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F })
        let escaped = scalar.value < 0x20 || ["\"", "\\", "\u{7F}"].contains(scalar)
        #expect(bytes.count { $0 == UInt8(ascii: "\\") } == (escaped ? scalar == "\\" ? 2 : 1 : 0))
      }
    }
  }

  @Test func whatIsWrittenAsItGoesIsTheTreeInBytes() {
    let number: Double? = nil
    let long = String(repeating: "\u{1}\u{7F}\\", count: 3000)
    for text in ["", "8 bytes.", "ein Löffel\nvoll \"Zucker\"", long] {
      for indent in [nil, 0] {
        var json = JSONWriter(indent: indent)
        json.object { json in
          json.member("text", text)
          json.key(named: text)
          json.array { json in
            json.element(Int.min)
            json.element([text, text])
            json.element([String]())
          }
          json.member("tree", JSON.array([.null, .number("1e3")]))
          json.member("lat", -0.5, decimals: 6)
          json.member("nan", Double.nan, decimals: 1)
          json.member("unknown", number, decimals: 1)
          json.member("absent", String?.none)
          json.member("yes", true)
          json.member("no", false)
        }

        let tree = JSON.fields([
          ("text", .string(text)),
          (text, .array([.number("\(Int.min)"), .array([.string(text), .string(text)]), .array([])])),
          ("tree", .array([.null, .number("1e3")])), ("lat", .decimal(-0.5, 6)), ("nan", .decimal(.nan, 1)),
          ("unknown", .null), ("absent", .null), ("yes", .bool(true)), ("no", .bool(false)),
        ])
        #expect(json.text == (indent == nil ? tree.encoded : tree.pretty))
        #expect(JSON(parsing: json.bytes) == tree)
      }
    }
  }

  static let integers = [0, 1, -1, 9, 10, -10, 99, 100, 1_796_004_847_000, .max, .min, .max - 1, .min + 1]

  @Test(arguments: integers) func integersAreWrittenWhole(_ number: Int) {
    #expect(JSON.integer(number) == .number(String(number)))
  }

  @Test func oneLineHoldsNoControlCharacter() {
    let scalars = (0...0x9F).compactMap { Unicode.Scalar(UInt32($0)) }
    let text = JSON.string(String(String.UnicodeScalarView(scalars))).encoded
    #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F })
  }

  @Test func prettyIsIndentedByTwo() {
    let value = JSON.fields([("a", .array([.integer(1)])), ("b", .object([])), ("c", .null)])
    #expect(value.pretty == "{\n  \"a\": [\n    1\n  ],\n  \"b\": {},\n  \"c\": null\n}")
    #expect(value.encoded == #"{"a":[1],"b":{},"c":null}"#)
  }
}
