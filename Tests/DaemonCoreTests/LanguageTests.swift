import Foundation
import Testing

@testable import DaemonCore

/// Every sentence of every language stands in Tests/languages beside what it says in English, so that whoever does not
/// speak the language can check it too.
@Suite struct LanguageTests {
  /// One sentence with everything in it that can vary.
  private struct Sentence {
    /// The member of `Phrases`, then what it is given.
    var key: String
    var text: String
  }

  private static let wearers: [(String, String?)] = [("Ayu", "Ayu"), ("nobody", nil)]

  private static func sentences(of language: Language) -> [Sentence] {
    let phrases = language.phrases
    let moment = phrases.moment(Sample.moment.local)
    var all: [Sentence] = []
    func add(_ key: String, _ text: some CustomStringConvertible) {
      all.append(Sentence(key: key, text: text.description))
    }
    add("wearer", phrases.wearer)
    add("unknown", phrases.unknown)
    add("addressUnknown", phrases.addressUnknown)
    add("positionUnknown", phrases.positionUnknown)
    add("positionImplausible", phrases.positionImplausible)
    for (name, wearer) in wearers {
      add("alert \(name)", phrases.alert(wearer: wearer))
      add("pressedAgain \(name)", phrases.pressedAgain(wearer: wearer))
      add("update \(name)", phrases.update(wearer: wearer))
      add("updateAfterLate \(name)", phrases.updateAfterLate(wearer: wearer))
      add("allClear \(name)", phrases.allClear(wearer: wearer))
      add("drillBegins \(name)", phrases.drillBegins(wearer: wearer))
      add("late \(name)", phrases.late(wearer: wearer, drill: false, at: moment, delay: phrases.hours(2)))
      add(
        "late \(name) drill, unset",
        phrases.late(wearer: wearer, drill: true, at: nil, delay: phrases.minutes(3)))
    }
    add("drillEnds", phrases.drillEnds)
    add("lateUpdate", phrases.lateUpdate(age: phrases.days(3)))
    add("positionUnknownLine", phrases.positionUnknownLine(implausible: false))
    add("positionUnknownLine implausible", phrases.positionUnknownLine(implausible: true))
    let ages: [(String, PositionAge)] = [
      ("now", .now), ("past", .past(phrases.seconds(10))), ("lastKnown", .lastKnown(phrases.minutes(12))),
      ("ageless", .lastKnown(nil)),
    ]
    for (name, age) in ages {
      add("position \(name)", phrases.position(age: age, accuracy: phrases.accuracy(metres: 4)))
      let remark = phrases.positionRemark(age: age, accuracy: phrases.accuracyUnknown, origin: .measured)
      add("positionRemark \(name)", remark)
    }
    add(
      "positionRemark computed",
      phrases.positionRemark(age: .now, accuracy: phrases.accuracy(metres: 4), origin: .deadReckoning))
    add(
      "positionRemark simulated",
      phrases.positionRemark(age: .now, accuracy: phrases.accuracy(metres: 4), origin: .simulated))
    add("deadReckoning", phrases.deadReckoning)
    add("simulated", phrases.simulated)
    add("accuracy", phrases.accuracy(metres: 4))
    add("accuracyUnknown", phrases.accuracyUnknown)
    add("seconds", [1, 2, 45].map(phrases.seconds).map(\.description).joined(separator: "; "))
    add("minutes", [1, 2, 119].map(phrases.minutes).map(\.description).joined(separator: "; "))
    add("hours", [1, 2, 47].map(phrases.hours).map(\.description).joined(separator: "; "))
    add("days", [1, 2, 365].map(phrases.days).map(\.description).joined(separator: "; "))
    add("address", phrases.address("Jalan Melati 5"))
    let far: Words = "2\(phrases.decimalSeparator)3 km"
    add("decimalSeparator", far)
    for direction in CompassPoint.allCases {
      add("near \(direction.rawValue)", phrases.near(distance: far, direction: direction, place: "Bogor"))
    }
    add("near a vowel", phrases.near(distance: far, direction: .north, place: "Amiens"))
    add("percent", phrases.percent(57))
    add("battery", phrases.battery(percent: phrases.percent(57)))
    add("pressed", phrases.pressed(at: moment, first: false))
    add("pressed first", phrases.pressed(at: moment, first: true))
    add("pressed unset", phrases.pressed(delay: phrases.minutes(12), first: false))
    add("pressed unset, just", phrases.pressed(delay: nil, first: false))
    add("pressed unset, first", phrases.pressed(delay: phrases.days(3), first: true))
    add("timeUnknown", phrases.timeUnknown(delay: phrases.minutes(12)))
    add("timeUnknown just", phrases.timeUnknown(delay: nil))
    // 1970-01-01 and every month's first after it.
    let firsts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    for (month, day) in firsts.enumerated() {
      let local = CalendarParts(milliseconds: Int64(day) * 86_400_000 + 3_600_000, utcOffset: 0)
      add("moment \(month + 1)", phrases.moment(local))
    }
    return all
  }

  /// The cells of a table's row.
  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  static let translated = Language.allCases.filter { $0 != .english }

  @Test(arguments: translated) func everySentenceStandsInTheTableWithItsMeaning(_ language: Language) throws {
    let path = "Tests/languages/\(language.rawValue).md"
    let table = String(decoding: (try? ConfigSample.file(path)) ?? [], as: UTF8.self)
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.map(Self.cells).dropFirst()
    let english = Self.sentences(of: .english)
    let own = Self.sentences(of: language)

    #expect(rows.map { $0[0] } == own.map(\.key), "\(path)")
    for (row, (sentence, original)) in zip(rows, zip(own, english)) {
      try #require(row.count == 4, "\(path): \(sentence.key)")
      #expect(row[1] == original.text, "\(path): \(sentence.key)")
      #expect(row[2] == sentence.text, "\(path): \(sentence.key)")
      #expect(!row[3].isEmpty, "\(path): \(sentence.key) is not translated back")
    }
  }

  @Test func theTablesHaveEveryMemberOfTheProtocol() throws {
    let source = String(
      decoding: try ConfigSample.file("Sources/DaemonCore/Languages/Phrases.swift"), as: UTF8.self)
    let names = source.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^  (?:func|var) ([a-zA-Z]+)/).map { String($0.1) }
    }
    let keys = Set(Self.sentences(of: .english).map { $0.key.prefix { $0 != " " } }.map(String.init))

    #expect(names.count > 30)
    #expect(Set(names).subtracting(keys) == [])
  }

  /// Whatever a sentence is about is in it, and no sentence is that of another language.
  @Test(arguments: Language.allCases) func everySentenceTellsItsFacts(_ language: Language) {
    let own = Self.sentences(of: language)
    for sentence in own {
      #expect(!sentence.text.isEmpty && sentence.text == sentence.text.onOneLine, "\(sentence.key)")
      if sentence.key.hasSuffix("Ayu") { #expect(sentence.text.contains("Ayu")) }
      if sentence.key.hasPrefix("near ") { #expect(sentence.text.hasPrefix("2")) }
      if sentence.key.hasPrefix("alert") || sentence.key.hasPrefix("pressedAgain") {
        #expect(sentence.text.hasPrefix("🆘 "))
      }
      if sentence.key.hasPrefix("drill") { #expect(sentence.text.hasPrefix("🔔 ")) }
    }
    #expect(Set(own.filter { $0.key.hasPrefix("near ") }.map(\.text)).count == 9)
    #expect(Set(own.filter { $0.key.hasPrefix("moment ") }.map(\.text)).count == 12)
    guard language != .english else { return }
    let english = Set(Self.sentences(of: .english).map(\.text))
    for sentence in own where sentence.text.count > 40 {
      #expect(!english.contains(sentence.text), "\(sentence.key)")
    }
  }

  /// A message costs a segment for each 67 characters; no language makes it much dearer than English does.
  @Test(arguments: Language.allCases) func anAlertFitsIntoFewSegments(_ language: Language) {
    let message = MessageComposer.compose(Sample.composition(language))
    #expect(message.text.utf16.count <= 4 * 67, "\(message.text.utf16.count)")
  }

  struct Number: Sendable {
    let distance: Double
    let english: String
    let german: String
  }
  static let numbers: [Number] = [
    Number(distance: 0, english: "Bogor", german: "Bogor"),
    Number(distance: 999.9, english: "Bogor", german: "Bogor"),
    Number(distance: 1000, english: "1.0 km E of Bogor", german: "1,0 km östlich von Bogor"),
    Number(distance: 9949, english: "9.9 km E of Bogor", german: "9,9 km östlich von Bogor"),
    Number(distance: 9950, english: "10 km E of Bogor", german: "10 km östlich von Bogor"),
    Number(distance: 2_688_000, english: "2688 km E of Bogor", german: "2688 km östlich von Bogor"),
  ]

  @Test(arguments: numbers) func distancesAreWrittenAsTheReaderWritesThem(_ row: Number) {
    let place = NearestPlace(name: "Bogor", country: [:], distance: row.distance, direction: .east)
    #expect(place.text(in: .english) == row.english)
    #expect(place.text(in: .german) == row.german)
  }

  @Test(arguments: [
    ("Le Mans, Sarthe", "2,0 km à l'est du Mans, Sarthe"), ("Les Ulis", "2,0 km à l'est des Ulis"),
    ("La Rochelle", "2,0 km à l'est de La Rochelle"), ("Lens", "2,0 km à l'est de Lens"),
    ("Évry", "2,0 km à l'est d'Évry"),
  ])
  func frenchPutsThePrepositionBeforeAPlace(name: String, text: String) {
    let place = NearestPlace(name: name, country: [:], distance: 2000, direction: .east)
    #expect(place.text(in: .french) == text)
  }

  @Test func aPlaceIsNamedOnceAndInTheReadersLanguage() {
    var place = NearestPlace(
      name: "Berlin", region: "Berlin",
      country: [.english: "Germany", .german: "Deutschland", .dutch: "Duitsland"],
      distance: 10, direction: .east)
    #expect(place.text(in: .german) == "Berlin, Deutschland")
    #expect(place.text(in: .dutch) == "Berlin, Duitsland")
    #expect(place.text(in: .french) == "Berlin, Germany")
    place.name = "Köln\u{202E}\n"
    place.region = nil
    #expect(place.text(in: .english) == "Köln, Germany")
  }
}
