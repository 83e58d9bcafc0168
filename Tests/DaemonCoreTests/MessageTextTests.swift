import Testing

@testable import DaemonCore

/// The texts as they go on the wire, byte for byte.
@Suite struct MessageTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let composition: Composition
    let text: String
    var testDescription: String { name }
  }

  private static let pin = "-6.175400, 106.827200\nhttps://maps.google.com/?q=-6.175400,106.827200"
  private static let old = PositionFact.known(Sample.fix, age: .seconds(720), lastKnown: true)
  private static let ageless = PositionFact.known(
    Fix(latitude: -0.5, longitude: 0.5), age: nil, lastKnown: true)
  private static let tenSeconds = PositionFact.known(Sample.fix, age: .seconds(10), lastKnown: false)
  private static func from(_ origin: FixOrigin) -> PositionFact {
    var fix = Sample.fix
    fix.origin = origin
    fix.accuracy = 850.4
    return .known(fix, age: .zero, lastKnown: false)
  }
  private static let en = "Pressed at 09:14 (UTC+7), 30 Nov 2026."
  private static let id = "Ditekan pukul 09.14 (UTC+7), 30 Nov 2026."
  private static let help = "🆘 Ayu pressed the panic button and needs help."
  private static let tolong = "🆘 Ayu menekan tombol darurat dan membutuhkan pertolongan."

  static let english: [Case] = [
    Case(
      name: "fix", composition: Sample.composition(),
      text: "\(help)\nPosition, within about 4 m:\n\(pin)\n\(en)"),
    Case(
      name: "fix of ten seconds ago", composition: Sample.composition(position: tenSeconds),
      text: "\(help)\nPosition as of 10 seconds ago, within about 4 m:\n\(pin)\n\(en)"),
    Case(
      name: "last known, address, battery",
      composition: Sample.composition(position: old, battery: 57, address: "Jl. \u{202E}Melati\n5\u{2069}"),
      text: "\(help)\nLast known position, 12 minutes old, within about 4 m:\n\(pin)\n"
        + "Near: Jl. Melati 5\n\(en)\nBattery: 57%."),
    Case(
      name: "age and accuracy unknown", composition: Sample.composition(position: ageless),
      text: "\(help)\nLast known position, age unknown, accuracy unknown:\n"
        + "-0.500000, 0.500000\nhttps://maps.google.com/?q=-0.500000,0.500000\n\(en)"),
    Case(
      name: "dead reckoning", composition: Sample.composition(position: from(.deadReckoning)),
      text: "\(help)\nPosition, within about 850 m:\n\(pin)\n"
        + "This position was computed from movement, not measured.\n\(en)"),
    Case(
      name: "simulated", composition: Sample.composition(position: from(.simulated)),
      text: "\(help)\nPosition, within about 850 m:\n\(pin)\n"
        + "The GPS receiver says that this position is SIMULATED.\n\(en)"),
    Case(
      name: "no fix", composition: Sample.composition(position: .unknown),
      text: "\(help)\nPosition unknown: GPS has not found one yet.\n\(en)"),
    Case(
      name: "implausible, nameless, clock not set",
      composition: Sample.composition(
        wearer: " \u{202E}\n", position: .implausible, pressedAt: Sample.unset, since: .seconds(60)),
      text: "🆘 The wearer pressed the panic button and needs help.\n"
        + "The GPS receiver reported an implausible place, so the position is unknown.\n"
        + "Pressed 1 minute before this message; the device's clock was not set."),
    Case(
      name: "just pressed, clock not set",
      composition: Sample.composition(position: .unknown, pressedAt: Sample.unset),
      text: "\(help)\nPosition unknown: GPS has not found one yet.\n"
        + "Pressed just before this message; the device's clock was not set."),
    Case(
      name: "late", composition: Sample.composition(since: .seconds(7300)),
      text: "🆘 LATE: Ayu pressed the panic button at 09:14 (UTC+7), 30 Nov 2026, "
        + "2 hours before this message could be sent.\n"
        + "\(help)\nPosition as of 2 hours ago, within about 4 m:\n\(pin)\n\(en)"),
    Case(
      name: "late, clock not set",
      composition: Sample.composition(position: .unknown, pressedAt: Sample.unset, since: .seconds(121)),
      text: "🆘 LATE: Ayu pressed the panic button 2 minutes before this message could be sent; "
        + "the device's clock was not set.\n\(help)\nPosition unknown: GPS has not found one yet.\n"
        + "Pressed 2 minutes before this message; the device's clock was not set."),
    Case(
      name: "drill", composition: Sample.composition(kind: .drill),
      text: "🔔 DRILL: this is a test of Ayu's panic button. Nobody needs help.\n"
        + "Position, within about 4 m:\n\(pin)\n\(en)\n🔔 DRILL: this was only a test."),
    Case(
      name: "pressed again", composition: Sample.composition(kind: .update, reason: .pressedAgain),
      text: "🆘 Ayu pressed the panic button again and needs help.\n"
        + "Position, within about 4 m:\n\(pin)\nFirst pressed at 09:14 (UTC+7), 30 Nov 2026."),
    Case(
      name: "position", composition: Sample.composition(kind: .update, reason: .position),
      text: "📍 Update: Ayu's alarm is still on.\n"
        + "Position, within about 4 m:\n\(pin)\nFirst pressed at 09:14 (UTC+7), 30 Nov 2026."),
    Case(
      name: "after late", composition: Sample.composition(kind: .update, reason: .late),
      text: "📍 Update: Ayu's alarm reached you late. Here is the latest.\n"
        + "Position, within about 4 m:\n\(pin)\nFirst pressed at 09:14 (UTC+7), 30 Nov 2026."),
    Case(
      name: "all-clear", composition: Sample.composition(kind: .allClear, battery: 50),
      text: "✅ All clear: Ayu's alarm was cancelled on the device. If you are not sure, call.\n\(en)"),
  ]

  static let indonesian: [Case] = [
    Case(
      name: "fix", composition: Sample.composition(.indonesian),
      text: "\(tolong)\nPosisi, dalam radius sekitar 4 m:\n\(pin)\n\(id)"),
    Case(
      name: "fix of ten seconds ago", composition: Sample.composition(.indonesian, position: tenSeconds),
      text: "\(tolong)\nPosisi 10 detik yang lalu, dalam radius sekitar 4 m:\n\(pin)\n\(id)"),
    Case(
      name: "last known, address, battery",
      composition: Sample.composition(.indonesian, position: old, battery: 57, address: "Jl. Melati 5"),
      text: "\(tolong)\nPosisi terakhir yang diketahui, 12 menit yang lalu, dalam radius sekitar 4 m:\n"
        + "\(pin)\nDekat: Jl. Melati 5\n\(id)\nBaterai: 57%."),
    Case(
      name: "age and accuracy unknown", composition: Sample.composition(.indonesian, position: ageless),
      text: "\(tolong)\nPosisi terakhir yang diketahui, waktunya tidak diketahui, akurasi tidak diketahui:\n"
        + "-0.500000, 0.500000\nhttps://maps.google.com/?q=-0.500000,0.500000\n\(id)"),
    Case(
      name: "dead reckoning", composition: Sample.composition(.indonesian, position: from(.deadReckoning)),
      text: "\(tolong)\nPosisi, dalam radius sekitar 850 m:\n\(pin)\n"
        + "Posisi ini dihitung dari gerakan, bukan hasil pengukuran.\n\(id)"),
    Case(
      name: "simulated", composition: Sample.composition(.indonesian, position: from(.simulated)),
      text: "\(tolong)\nPosisi, dalam radius sekitar 850 m:\n\(pin)\n"
        + "Menurut penerima GPS, posisi ini hanya SIMULASI.\n\(id)"),
    Case(
      name: "no fix", composition: Sample.composition(.indonesian, position: .unknown),
      text: "\(tolong)\nPosisi tidak diketahui: GPS belum menemukannya.\n\(id)"),
    Case(
      name: "implausible, nameless, clock not set",
      composition: Sample.composition(
        .indonesian, wearer: nil, position: .implausible, pressedAt: Sample.unset, since: .seconds(60)),
      text: "🆘 Pemakai alat menekan tombol darurat dan membutuhkan pertolongan.\n"
        + "Penerima GPS melaporkan tempat yang tidak masuk akal, jadi posisi tidak diketahui.\n"
        + "Ditekan 1 menit sebelum pesan ini; jam pada alat belum disetel."),
    Case(
      name: "late", composition: Sample.composition(.indonesian, since: .seconds(7300)),
      text: "🆘 TERLAMBAT: Ayu menekan tombol darurat pukul 09.14 (UTC+7), 30 Nov 2026, "
        + "2 jam sebelum pesan ini dapat dikirim.\n"
        + "\(tolong)\nPosisi 2 jam yang lalu, dalam radius sekitar 4 m:\n\(pin)\n\(id)"),
    Case(
      name: "late, clock not set",
      composition: Sample.composition(
        .indonesian, position: .unknown, pressedAt: Sample.unset, since: .seconds(121)),
      text: "🆘 TERLAMBAT: Ayu menekan tombol darurat 2 menit sebelum pesan ini dapat dikirim; "
        + "jam pada alat belum disetel.\n\(tolong)\nPosisi tidak diketahui: GPS belum menemukannya.\n"
        + "Ditekan 2 menit sebelum pesan ini; jam pada alat belum disetel."),
    Case(
      name: "drill", composition: Sample.composition(.indonesian, kind: .drill),
      text: "🔔 LATIHAN: ini uji coba tombol darurat Ayu. Tidak ada yang membutuhkan pertolongan.\n"
        + "Posisi, dalam radius sekitar 4 m:\n\(pin)\n\(id)\n🔔 LATIHAN: ini tadi hanya uji coba."),
    Case(
      name: "pressed again",
      composition: Sample.composition(.indonesian, kind: .update, reason: .pressedAgain),
      text: "🆘 Ayu menekan tombol darurat lagi dan membutuhkan pertolongan.\n"
        + "Posisi, dalam radius sekitar 4 m:\n\(pin)\nPertama kali ditekan pukul 09.14 (UTC+7), 30 Nov 2026."),
    Case(
      name: "position", composition: Sample.composition(.indonesian, kind: .update, reason: .position),
      text: "📍 Kabar terbaru: alarm dari Ayu masih aktif.\n"
        + "Posisi, dalam radius sekitar 4 m:\n\(pin)\nPertama kali ditekan pukul 09.14 (UTC+7), 30 Nov 2026."),
    Case(
      name: "after late", composition: Sample.composition(.indonesian, kind: .update, reason: .late),
      text: "📍 Kabar terbaru: alarm dari Ayu terlambat sampai. Berikut kabar terakhirnya.\n"
        + "Posisi, dalam radius sekitar 4 m:\n\(pin)\nPertama kali ditekan pukul 09.14 (UTC+7), 30 Nov 2026."),
    Case(
      name: "all-clear", composition: Sample.composition(.indonesian, kind: .allClear),
      text:
        "✅ Alarm berakhir: alarm dari Ayu sudah dibatalkan pada alatnya. Jika ragu, silakan telepon.\n\(id)"),
  ]

  @Test(arguments: english) func readsInEnglish(_ row: Case) {
    #expect(MessageComposer.compose(row.composition).text == row.text)
  }

  @Test(arguments: indonesian) func readsInIndonesian(_ row: Case) {
    #expect(MessageComposer.compose(row.composition).text == row.text)
  }

  @Test func templateIsTheWholeText() {
    let template = Template(pieces: [
      .placeholder(.wearer), .literal(" needs help at "), .placeholder(.position), .literal(". "),
      .placeholder(.map), .literal(" ±"), .placeholder(.accuracy), .literal(", "), .placeholder(.age),
      .literal(", "), .placeholder(.address), .literal(", "), .placeholder(.battery),
    ])

    let known = MessageComposer.compose(Sample.composition(template: template, battery: 9)).text
    let unknown = MessageComposer.compose(Sample.composition(template: template, position: .unknown)).text

    #expect(
      known == "Ayu needs help at -6.175400, 106.827200 (within about 4 m). "
        + "https://maps.google.com/?q=-6.175400,106.827200 ±4 m, 1 second, address unknown, 9%")
    #expect(
      unknown == "Ayu needs help at position unknown. unknown ±unknown, unknown, address unknown, unknown")
  }

  @Test func templateOfADrillIsFramedAndALateOneBeginsSo() {
    let template = Template(pieces: [.literal("Help at "), .placeholder(.time)])

    let drill = MessageComposer.compose(Sample.composition(kind: .drill, template: template)).text
    let late = MessageComposer.compose(Sample.composition(template: template, since: .seconds(200))).text

    #expect(
      drill == "🔔 DRILL: this is a test of Ayu's panic button. Nobody needs help.\n"
        + "Help at 09:14 (UTC+7), 30 Nov 2026\n🔔 DRILL: this was only a test.")
    #expect(
      late == "🆘 LATE: Ayu pressed the panic button at 09:14 (UTC+7), 30 Nov 2026, "
        + "3 minutes before this message could be sent.\nHelp at 09:14 (UTC+7), 30 Nov 2026")
  }

  @Test func templateIsForTheAlertOnly() {
    let template = Template(pieces: [.literal("Help")])

    let update = MessageComposer.compose(
      Sample.composition(kind: .update, reason: .position, template: template))

    #expect(update.text.hasPrefix("📍 Update"))
  }

  @Test func timeWithThePowerOffMakesAnAlertLate() {
    var composition = Sample.composition(since: .seconds(30))
    composition.sentAt = Sample.moment.advanced(by: .seconds(28_800))

    #expect(composition.isLate)
    #expect(MessageComposer.compose(composition).text.contains("8 hours before this message"))
  }

  @Test(arguments: [
    (
      Language.english, Duration.seconds(600), "This message is late: it was made 10 minutes ago.",
      "Position as of 10 minutes ago"
    ),
    (
      .indonesian, .seconds(600), "Pesan ini terlambat: dibuat 10 menit yang lalu.",
      "Posisi 10 menit yang lalu"
    ),
    (
      .indonesian, .seconds(3 * 86_400), "Pesan ini terlambat: dibuat 3 hari yang lalu.",
      "Posisi 3 hari yang lalu"
    ),
  ])
  func updateThatWaitedSaysSo(_ language: Language, _ age: Duration, _ late: String, _ position: String) {
    var composition = Sample.composition(language, kind: .update, reason: .position)
    composition.sinceFacts = age

    let text = MessageComposer.compose(composition).text

    #expect(text.contains(late))
    #expect(text.contains(position))
  }

  @Test(arguments: [
    (0, "UTC"), (25_200, "UTC+7"), (-12_600, "UTC-3:30"), (20_700, "UTC+5:45"),
  ])
  func zoneIsTold(offset: Int, zone: String) {
    var pressedAt = Sample.moment
    pressedAt.utcOffset = offset

    #expect(MessageComposer.compose(Sample.composition(pressedAt: pressedAt)).text.contains("(\(zone))"))
  }

  @Test(arguments: [
    (0.2, "1 m"), (4.5, "5 m"), (999.4, "999 m"), (999.6, "1 km"), (1200, "2 km"), (2000, "2 km"),
  ])
  func accuracyIsRounded(metres: Double, text: String) {
    let fix = Fix(latitude: 1, longitude: 1, accuracy: metres)
    let message = MessageComposer.compose(
      Sample.composition(position: .known(fix, age: .zero, lastKnown: false)))

    #expect(message.phrase(.accuracy) == text)
  }

  @Test(arguments: [-1, .nan, .infinity, 1e300])
  func absurdAccuracyIsUnknown(metres: Double) {
    let fix = Fix(latitude: 1, longitude: 1, accuracy: metres)
    let message = MessageComposer.compose(
      Sample.composition(position: .known(fix, age: .seconds(Int64.max), lastKnown: true)))

    #expect(message.phrase(.accuracy) == "unknown")
  }

  @Test(arguments: [
    (MapStyle.google, "https://maps.google.com/?q=-0.384720,-122.719957"),
    (.osm, "https://www.openstreetmap.org/?mlat=-0.384720&mlon=-122.719957#map=17/-0.384720/-122.719957"),
    (.apple, "https://maps.apple.com/?ll=-0.384720,-122.719957&q=-0.384720,-122.719957"),
    (.geo, "geo:-0.384720,-122.719957"),
  ])
  func mapLinkKeepsTheSign(style: MapStyle, url: String) {
    let position = PositionFact.known(
      Fix(latitude: -0.38472, longitude: -122.719957167), age: .zero, lastKnown: false)
    var composition = Sample.composition(position: position)
    composition.map = style

    #expect(MessageComposer.compose(composition).mapURL == url)
  }

  @Test func invisibleCharactersLeaveAndEmojiStay() {
    let family = "👨‍👩‍👧"

    #expect(" a\t\r\nb\u{7}\u{202E}\u{2066}\u{FEFF} \u{85}c \(family)\n".onOneLine == "a b c \(family)")
    // Source: Unicode, Bidi_Control.
    let turning =
      "\u{61C}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{2066}\u{2067}\u{2068}\u{2069}"
    #expect("a\(turning)b".onOneLine == "ab")
  }

  @Test(arguments: ["شارع الوحدة 21", "עדי 5"]) func aRightToLeftNameStaysApartFromTheNumbers(name: String) {
    let position = PositionFact.known(
      Fix(latitude: 31.517, longitude: -34.46), age: .zero, lastKnown: false)
    let hidden = "\u{202E}\(name)\u{2066}"

    let message = MessageComposer.compose(
      Sample.composition(wearer: hidden, position: position, address: hidden))

    #expect(message.wearer == name && message.address == name, "alone it needs no isolation")
    #expect(message.text.contains("🆘 \u{2068}\(name)\u{2069} pressed the panic button and needs help.\n"))
    #expect(message.text.contains("\nNear: \u{2068}\(name)\u{2069}\n"))
    let lines = message.text.split(separator: "\n")
    #expect(lines.first?.contains(name) == true, "its own characters, in their own order")
    #expect(lines.contains("31.517000, -34.460000"))
    #expect(lines.contains("https://maps.google.com/?q=31.517000,-34.460000"))
    #expect(!message.text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
    // A template's parameter has no lines to keep them apart.
    #expect(message.parameterText(limit: 1000).contains("\u{2068}\(name)\u{2069} | "))
  }

  @Test func shortenedTextKeepsTheEssentials() {
    let family = "👨‍👩‍👧"
    for limit in [300, 301, 302, 303, 304, 305, 306, 307, 308, 309] {
      let message = MessageComposer.compose(
        Sample.composition(
          kind: .drill, template: Template(pieces: [.literal(String(repeating: family, count: 2000))])))

      let text = message.text(limit: limit)

      #expect(text.utf16.count <= limit)
      #expect(
        text.hasSuffix(
          """
          …
          Ayu
          -6.175400, 106.827200
          https://maps.google.com/?q=-6.175400,106.827200
          🔔 DRILL: this was only a test.
          """))
      #expect(text.filter { $0 == "👨" || $0 == "👩" }.isEmpty, "a character was cut")
    }
  }

  @Test func overlongWearerLeavesRoomForThePlace() {
    let message = MessageComposer.compose(Sample.composition(wearer: String(repeating: "x", count: 9000)))

    let text = message.text(limit: 1600)

    #expect(text.utf16.count <= 1600)
    #expect(text.hasSuffix("-6.175400, 106.827200\nhttps://maps.google.com/?q=-6.175400,106.827200"))
  }

  @Test func essentialsThatStandInTheTextAreNotRepeated() {
    var message = Sample.message()
    message.text += "\n" + String(repeating: "y", count: 5000)

    let lines = message.text(limit: 1600).split(separator: "\n")

    #expect(lines.filter { $0 == "-6.175400, 106.827200" }.count == 1)
  }
}
