import Foundation
import Testing

@testable import DaemonCore

/// RFC 8259, no more and no less, and where a text breaks it.
@Suite struct JSONParserTests {
  static let accepted = [
    "null", " true ", "\tfalse\r\n", "0", "-0", "17", "-17.25", "1e3", "1E+3", "1e-3", "0.0001",
    "123456789012345678901",
    "\"\"", #""\" \\ \/ \b \f \n \r \t \u00e9 \u0000""#, #""\uD83C\uDD98""#, "\"é🆘\u{7F}\u{2028}\"",
    "[]", "[ ]", "[[],{}]", "[1,2 , 3]", "{}", "{ }", #"{"":1}"#, #"{"a":1,"a":2}"#,
    #"{ "a" : [ { "b" : null } ] }"#,
  ]

  static let rejected = [
    "", " ", "\u{A0}null", "nul", "nullx", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "a",
    "+1", "-", "--1", "01", "-01", "1.", ".5", "-.5", "1.e3", "1e", "1e+", "1e1.5", "0x10", "1 000", "1_000",
    "1a", "٣",
    "\"", "\"a", "\"\\\"", #""\x""#, #""\a""#, #""\u12""#, #""\u12G4""#, #""\u٠٠٠٠""#, "\"\n\"", "\"\t\"",
    "\"\u{1F}\"",
    #""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800\n""#, #""\uD800x""#, #""\uD8"#, "\"\\",
    "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1}", "[\"a\":1]", "[1]]", "[]x", "[1];",
    "[*]",
    "{", "}", "{]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}",
    "{1:1}",
    "{\"a\" 1}", "{\"a\"=1}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\":1}{}", "{\"a\"::1}",
    "{\"a\"}",
    "// note\n1", "1 // note", "/* note */ 1", "# note\n1", "{ // note\n}", "\u{FEFF}\u{FEFF}1", "1\u{C}",
    "1\u{0}",
  ]

  @Test(arguments: accepted) func reads(_ text: String) {
    #expect(JSON(parsing: text) != nil)
  }

  @Test(arguments: rejected) func refuses(_ text: String) {
    #expect(JSON(parsing: text) == nil)
  }

  static let notUTF8: [[UInt8]] = [
    [0xFF], [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    [0x22, 0xE2, 0x82, 0x22],
    [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE9, 0x22], [0xEF, 0xBB], [0xEF, 0xBB, 0xBF], [0, 0, 0, 0],
    [0],
    [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], [0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D],
    [0x22, 0x61, 0xE2, 0x82, 0xAC],
  ]

  @Test(arguments: notUTF8) func refusesWhatIsNoUTF8(_ bytes: [UInt8]) {
    #expect(JSON(parsing: bytes) == nil)
  }

  @Test(arguments: [
    (#""a\uD800b""#, "a\u{FFFD}b"), (#""\uDC00\uD800""#, "\u{FFFD}\u{FFFD}"),
    (#""\uD800\u0041""#, "\u{FFFD}A"),
    (#""\uD800\uD83C\uDD98""#, "\u{FFFD}🆘"), (#""\uD800\n""#, "\u{FFFD}\n"),
  ])
  func repairsHalfCharactersWhereAsked(text: String, meaning: String) {
    #expect(JSON(parsing: Array(text.utf8), repairing: true) == .string(meaning))
  }

  @Test func repairsBrokenUTF8WhereAskedAndNothingElse() {
    let cut: [UInt8] = [0x22, 0x61, 0xE2, 0x82, 0x22]

    #expect(JSON(parsing: cut, repairing: true) == .string("a\u{FFFD}"))
    for text in Self.rejected where !text.contains(#"\uD"#) {
      #expect(JSON(parsing: Array(text.utf8), repairing: true) == nil)
    }
  }

  @Test func saysThatTheTextIsUTF16() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0x5B, 0, 0x5D, 0, 0x0A, 0]] {
      #expect { try JSONParser.parse(bytes) } throws: { error in
        (error as? JSONError)?.reason.contains("UTF-16") == true
      }
    }
  }

  @Test(arguments: ["[", "{\"a\":"]) func deepNestingIsAnErrorAndNoCrash(_ opening: String) {
    #expect(JSON(parsing: String(repeating: opening, count: 100_000)) == nil)
    let limit = JSONParser.depthLimit
    let closing = opening == "[" ? "]" : "}"
    let core = opening == "[" ? "" : "1"
    for (depth, isRead) in [(limit, true), (limit + 1, false)] {
      let text =
        String(repeating: opening, count: depth) + core + String(repeating: closing, count: depth)
      #expect((JSON(parsing: text) != nil) == isRead)
    }
    // Depth is a matter of nesting, not of how much is read.
    #expect(JSON(parsing: "[" + String(repeating: "[],", count: 1000) + "[]]") != nil)
  }

  @Test func decodesEscapes() {
    #expect(JSON(parsing: #""\u00e9\uD83C\uDD98\/\b\f""#) == .string("é🆘/\u{8}\u{C}"))
    // A text is its scalars: nothing is lost or composed at the seam of an escape.
    let text = JSON(parsing: #""e\u0301x""#)?.string
    #expect(text.map { Array($0.unicodeScalars) } == ["e", "\u{301}", "x"])
  }

  @Test func keepsOrderDuplicatesAndDigits() {
    let json = JSON(parsing: #"{"b":1.500,"a":0.1,"b":3}"#)
    let members: [JSON.Member] = [
      .init(key: "b", value: .number("1.500")), .init(key: "a", value: .number("0.1")),
      .init(key: "b", value: .number("3")),
    ]
    #expect(json == .object(members))
    #expect(json?["b"] == .number("1.500"))
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    var text: String
    var offset: Int
    var reason: String
    var testDescription: String { text }
  }

  static let broken = [
    Broken(text: "", offset: 0, reason: "nothing in it"),
    Broken(text: " \n", offset: 2, reason: "nothing in it"),
    Broken(text: "{\"a\":1,}", offset: 7, reason: "comma before }"),
    Broken(text: "[1,]", offset: 3, reason: "comma before ]"),
    Broken(text: "{ // x\n}", offset: 2, reason: "comments"),
    Broken(text: "# x", offset: 0, reason: "comments"),
    Broken(text: "[01]", offset: 1, reason: "begin with 0"),
    Broken(text: "{\"a\" 1}", offset: 5, reason: "'1' where a colon"),
    Broken(text: "{\"a\":1 \"b\":2}", offset: 7, reason: "comma or }"),
    Broken(text: "[\"a", offset: 1, reason: "no closing quote"),
    Broken(text: "[\"a\nb\"]", offset: 3, reason: "line break"),
    Broken(text: "[1] x", offset: 4, reason: "'x' after the end"),
    Broken(text: "[1", offset: 2, reason: "the text ends where"),
    Broken(text: #"["\q"]"#, offset: 2, reason: "no such escape"),
    Broken(text: #"["\uD800"]"#, offset: 2, reason: "surrogate"),
    Broken(text: #"["\u12"]"#, offset: 2, reason: "four hexadecimal"),
    Broken(text: "['a']", offset: 1, reason: "''' where a value"),
    Broken(text: "{a:1}", offset: 1, reason: "key in quotes"),
  ]

  @Test(arguments: broken) func saysWhereAndWhy(_ broken: Broken) {
    #expect { try JSONParser.parse(Array(broken.text.utf8)) } throws: { error in
      guard let error = error as? JSONError else { return false }
      return error.offset == broken.offset && error.reason.contains(broken.reason)
    }
  }

  @Test func nodesKnowTheirPlaces() throws {
    let node = try JSONParser.parse(Array("\u{FEFF}{ \"é\": [ 1, \"x\" ] }".utf8))
    guard case .object(let members) = node.content, case .array(let elements) = members[0].value.content
    else {
      Issue.record("not an object with an array")
      return
    }
    #expect(node.offset == 3)
    #expect(members[0].keyOffset == 5)
    #expect(elements.map(\.offset) == [13, 16])
  }

  struct Place: Sendable {
    var text: String
    var offset: Int
    var line: Int
    var column: Int
  }

  static let places = [
    Place(text: "abc", offset: 0, line: 1, column: 1), Place(text: "abc", offset: 2, line: 1, column: 3),
    Place(text: "abc", offset: 99, line: 1, column: 4), Place(text: "", offset: 5, line: 1, column: 1),
    Place(text: "a\nb", offset: 2, line: 2, column: 1), Place(text: "a\r\nb", offset: 3, line: 2, column: 1),
    Place(text: "a\rb", offset: 2, line: 2, column: 1),
    Place(text: "a\n\r\n\rb", offset: 5, line: 4, column: 1),
    Place(text: "a\r", offset: 2, line: 2, column: 1), Place(text: "é🆘x", offset: 6, line: 1, column: 3),
    Place(text: "\u{FEFF}x", offset: 3, line: 1, column: 1),
    Place(text: "\u{FEFF}x", offset: 0, line: 1, column: 1),
    Place(text: "\u{FEFF}a\r\nbc", offset: 7, line: 2, column: 2),
  ]

  @Test(arguments: places) func placesAreCountedAsEditorsDo(_ place: Place) {
    let position = TextPosition(offset: place.offset, in: Array(place.text.utf8))
    #expect(position == TextPosition(line: place.line, column: place.column))
  }
}
