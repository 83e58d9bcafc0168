import Foundation
import Testing

@testable import DaemonCore

/// Addresses help and never hold up: who is asked when, and when the message leaves.
@Suite struct GeocoderTests {
  private static let host = "geo.example"
  private static let bogor = NearestPlace(
    name: "Bogor", region: "West Java", country: [.english: "Indonesia", .indonesian: "Indonesia"],
    distance: 2345,
    direction: .northEast)

  private static func settings(_ service: GeocoderService? = .nominatim) -> GeocoderSettings {
    var settings = GeocoderSettings()
    settings.service = service
    settings.url = "https://\(host)"
    settings.contact = "me@example.org"
    return settings
  }

  private static func named(_ name: String) -> Response {
    Sample.answer(200, #"{"display_name":"\#(name)","lat":"-6.1754","lon":"106.8272"}"#)
  }

  /// A world with a fix in which addresses are asked for.
  private static func world(
    _ settings: GeocoderSettings = settings(), languages: [Language] = [.english],
    _ change: (inout Config) -> Void = { _ in }
  ) -> World {
    var config = World.config(languages.indices.map { ["\($0).example"] })
    for (index, language) in languages.enumerated() { config.contacts[index].language = language }
    config.geocoder = settings
    change(&config)
    var world = World(config)
    world.places = { _ in .success(bogor) }
    world.servers[host] = { _ in .answers(named("Jalan Melati 5, Jakarta"), after: .milliseconds(300)) }
    world.fix()
    return world
  }

  private static func wait(_ world: World, _ index: Int = 0, to host: String = "0.example") -> Duration? {
    world.sent(to: host).dropFirst(index).first.map { $0.at - (.zero + .seconds(100)) }
  }

  @Test func anAnswerInTimeRidesOnTheFirstMessage() {
    var world = Self.world()
    world.press()
    world.run(for: .seconds(60))

    #expect(world.sent(to: "0.example").count == 1)
    #expect(Self.wait(world) == .milliseconds(300))
    #expect(world.sent(to: "0.example")[0].isStored)
    #expect(world.sent(to: "0.example")[0].text.contains("\nNear: Jalan Melati 5, Jakarta\n"))
    #expect(world.sent(to: "0.example")[0].document?["address"] == .string("Jalan Melati 5, Jakarta"))
  }

  @Test(arguments: [0, 500, 2000, 30_000]) func aSilentServerHoldsNoMessageLongerThanTheDeadline(
    _ milliseconds: Int
  ) {
    var settings = Self.settings()
    settings.deadline = .milliseconds(milliseconds)
    var world = Self.world(settings)
    world.places = { _ in .failure(.unreadable) }
    world.servers[Self.host] = { _ in .silent }
    world.press()
    world.run(for: .seconds(60))

    // Then the request itself has ended.
    let limit = min(Duration.milliseconds(milliseconds), Geocoder.timeout)
    #expect(Self.wait(world) == max(limit, .milliseconds(20)))
    #expect(world.sent(to: "0.example")[0].document?["address"] == .null)
    #expect(!world.sent(to: "0.example")[0].text.contains("Near"))
  }

  @Test func theListSpeaksWhereTheServerIsSilent() {
    var world = Self.world()
    world.servers[Self.host] = { _ in .silent }
    world.press()
    world.run(for: .seconds(60))

    #expect(Self.wait(world) == .seconds(2))
    #expect(world.sent(to: "0.example")[0].text.contains("\n2.3 km NE of Bogor, West Java, Indonesia\n"))
  }

  @Test func aNameServerThatFailsIsNotWaitedFor() {
    var world = Self.world()
    world.servers[Self.host] = { _ in .breaks(.resolving, after: .milliseconds(40)) }
    world.press()
    world.run(for: .seconds(60))

    #expect(Self.wait(world) == .milliseconds(40))
    #expect(world.sent(to: "0.example")[0].text.contains("km NE of Bogor"))
    #expect(world.logged(.warning, "geocoder: no address: cannot resolve the name"))
  }

  @Test func theListAloneIsWaitedForNoLongerThanItTakes() {
    var world = Self.world(Self.settings(nil))
    world.press()
    world.run(for: .seconds(60))

    #expect(Self.wait(world) == .milliseconds(20))
    #expect(world.sent(to: Self.host).isEmpty)
    #expect(world.sent(to: "0.example")[0].text.contains("km NE of Bogor"))
  }

  @Test func aDiskThatHangsHoldsNoMessageLongerThanTheDeadline() {
    var world = Self.world(Self.settings(nil))
    world.places = nil
    world.disk = .stalls
    world.press()
    world.run(for: .seconds(60))

    #expect(Self.wait(world) == .seconds(2))
  }

  @Test(arguments: [PlacesFile.Fault.unreadable, .foreign, .damaged])
  func aListThatCannotBeReadIsAProblemAndHoldsNothingUp(_ fault: PlacesFile.Fault) {
    var world = Self.world(Self.settings(nil))
    world.places = { _ in .failure(fault) }
    world.press()
    world.run(for: .seconds(10))
    let reason = "/usr/share/soteriad-places/places \(fault.sentence)"

    #expect(Self.wait(world) == .milliseconds(20))
    #expect(world.sent(to: "0.example")[0].document?["address"] == .null)
    #expect(world.engine.status.problems.contains(.noAddresses(server: nil, list: reason)))
    #expect(world.logs.filter { $0.text == "geocoder: \(reason)" }.map(\.level) == [.warning])
  }

  @Test func anAnswerThatIsLateRidesOnTheNextUpdateAndCausesNone() {
    var world = Self.world()
    world.places = nil
    world.servers[Self.host] = { _ in .answers(Self.named("Jalan Melati 5"), after: .seconds(7)) }
    world.press()
    world.run(for: .seconds(90))
    #expect(world.sent(to: "0.example").count == 1)

    world.press()
    world.run(for: .seconds(10))

    #expect(world.sent(to: "0.example").map(\.kind) == ["alert", "update"])
    #expect(world.sent(to: "0.example")[1].text.contains("Near: Jalan Melati 5"))
    #expect(world.sent(to: Self.host).count == 1)
  }

  @Test func aPlaceIsAskedForOnce() {
    var world = Self.world()
    for _ in 0..<5 {
      world.press()
      world.run(for: .seconds(70))
      // As far as a receiver strays by itself.
      world.fix(-6.1754 + 0.0001)
    }
    #expect(world.sent(to: Self.host).count == 1)

    world.fix(-6.18)
    world.press()
    world.run(for: .seconds(70))
    #expect(world.sent(to: Self.host).count == 2)
  }

  @Test func eachReaderHasTheirLanguageASecondApart() {
    var settings = Self.settings()
    settings.deadline = .seconds(5)
    var world = Self.world(settings, languages: [.indonesian, .english, .indonesian])
    world.servers[Self.host] = { sent in
      let language = sent.request.headers.first { $0.name == "Accept-Language" }?.value ?? ""
      return .answers(Self.named("Jalan \(language)"), after: .milliseconds(200))
    }
    world.press()
    world.run(for: .seconds(60))

    #expect(world.sent(to: Self.host).map { $0.at - (.zero + .seconds(100)) } == [.zero, .seconds(1)])
    #expect(world.sent(to: "0.example")[0].text.contains("Dekat: Jalan id"))
    #expect(world.sent(to: "1.example")[0].text.contains("Near: Jalan en"))
    #expect(world.sent(to: "2.example")[0].text.contains("Dekat: Jalan id"))
    #expect(Self.wait(world, to: "0.example") == .milliseconds(200))
    #expect(Self.wait(world, to: "1.example") == .milliseconds(1200))
  }

  @Test func anotherLanguageIsBetterThanNone() {
    var world = Self.world(languages: [.indonesian, .english])
    world.servers[Self.host] = { sent in
      sent.at == .zero + .seconds(100) ? .answers(Self.named("Jalan Melati")) : .silent
    }
    world.press()
    world.run(for: .seconds(60))

    #expect(world.sent(to: "1.example")[0].text.contains("Near: Jalan Melati"))
    #expect(Self.wait(world, to: "1.example") == .seconds(2))
  }

  @Test func whoRefusesIsLeftAlone() {
    var world = Self.world()
    world.servers[Self.host] = { _ in
      .answers(Sample.answer(403, "<html>Access denied</html>", [Header("content-type", "text/html")]))
    }
    for step in 0..<59 {
      world.fix(-6.17 - Double(step) * 0.001)
      world.press()
      world.run(for: .seconds(1))
    }
    world.run(for: .seconds(10))
    #expect(world.sent(to: Self.host).count == 1)
    #expect(
      world.sent(to: "0.example").allSatisfy { !$0.text.contains("html") && !$0.text.contains("denied") })
    #expect(world.logs.filter { $0.level <= .warning && $0.text.contains("geocoder") }.count == 1)

    // A minute later it is asked again, and may have thought better of it.
    world.servers[Self.host] = { _ in .answers(Self.named("Jalan Melati")) }
    world.press()
    world.run(for: .seconds(10))
    #expect(world.sent(to: Self.host).count == 2)
    #expect(world.logged(.notice, "geocoder: answers again"))
  }

  @Test func whoAsksForAnHourGetsIt() {
    var world = Self.world()
    world.servers[Self.host] = { _ in .answers(Sample.answer(429, "{}", [Header("retry-after", "1800")])) }
    for minute in 0..<31 {
      world.fix(-6.17 - Double(minute) * 0.001)
      world.press()
      world.run(for: .seconds(60))
    }
    #expect(
      world.sent(to: Self.host).map { $0.at - (.zero + .seconds(100)) } == [.zero, .milliseconds(1_800_100)])
  }

  @Test func periodicPositionsAskNoServerAndDoAskTheList() {
    var world = Self.world { config in
      config.alert.updates = UpdateSettings()
    }
    world.press()
    for minute in 1...10 {
      world.run(for: .seconds(60))
      world.fix(-6.1754 - Double(minute) * 0.01)
    }
    world.run(for: .seconds(10))

    #expect(world.sent(to: Self.host).count == 1)
    let updates = world.sent(to: "0.example").filter { $0.kind == "update" }
    #expect(updates.count >= 4)
    #expect(updates.dropFirst().allSatisfy { $0.text.contains("km NE of Bogor") })
  }

  @Test func theLookupBeginsWithTheButtonGoingDown() {
    var config = Self.world().config
    config.button = .sample(hold: 1500)
    var world = World(config)
    world.places = nil
    world.servers[Self.host] = { _ in .answers(Self.named("Jalan Melati"), after: .milliseconds(1000)) }
    world.fix()
    world.feed(.buttonOpened(ButtonLink(description: "line 17", pressed: false, adopted: false)))
    world.feed(.edges([Edge(pressed: true, at: world.now)], level: true, lost: false))
    world.run(for: .seconds(10))

    #expect(world.sent(to: Self.host).map { $0.at - (.zero + .seconds(100)) } == [.milliseconds(30)])
    // When it counts as a press the address is there, so that only the disk is waited for.
    #expect(Self.wait(world) == .milliseconds(1520))
    #expect(world.sent(to: "0.example")[0].text.contains("Near: Jalan Melati"))
  }

  @Test func withoutAPositionNobodyIsAskedAndNothingWaits() {
    var config = World.config()
    config.geocoder = Self.settings()
    var world = World(config)
    world.press()
    world.run(for: .seconds(10))

    #expect(world.sent(to: "mum.example").map { $0.at - (.zero + .seconds(100)) } == [.milliseconds(20)])
    #expect(world.sent(to: Self.host).isEmpty)
  }

  @Test func anAllClearWaitsForNoAddress() {
    var world = Self.world()
    world.servers[Self.host] = { _ in .silent }
    world.press()
    world.run(for: .seconds(1))
    _ = world.cancel()
    world.run(for: .seconds(60))

    // Nobody had been told yet, so nobody has to be calmed.
    #expect(world.sent(to: "0.example").isEmpty)
  }

  /// Cut after every single action, restarted: the alert is there, with or without its address.
  @Test func noPowerCutLosesAPressThatWaitsForAnAddress() {
    var whole = Self.world()
    whole.servers[Self.host] = { _ in .answers(Self.named("Jalan Melati"), after: .milliseconds(700)) }
    let start = whole.actionsDone
    whole.press()
    whole.run(for: .seconds(30))
    let total = whole.actionsDone - start
    #expect(total > 8)

    for cut in 1...total {
      var world = Self.world()
      world.servers[Self.host] = { _ in .answers(Self.named("Jalan Melati"), after: .milliseconds(700)) }
      world.cutAfter = start + cut
      world.press()
      world.run(for: .seconds(30))
      let isStored = !world.synced.alerts.isEmpty
      world.restart()
      world.run(for: .seconds(30))
      #expect(!isStored || !world.sent(to: "0.example").isEmpty, "cut after \(cut)")
      #expect(world.sent(to: "0.example").allSatisfy { $0.isStored })
    }
  }

  @Test func anAddressOutlivesARestart() {
    var world = Self.world(Self.settings(nil))
    world.servers["0.example"] = { _ in .down }
    world.press()
    world.run(for: .seconds(3))
    world.restart()
    world.servers["0.example"] = nil
    world.run(for: .seconds(10))

    let last = world.sent(to: "0.example").last
    #expect(last?.text.contains("\n2.3 km NE of Bogor, West Java, Indonesia\n") == true)
  }

  @Test func aReloadChangesWhoIsAsked() {
    var world = Self.world()
    world.servers[Self.host] = { _ in .silent }
    world.press()
    world.run(for: .milliseconds(500))
    var config = world.config
    config.geocoder = nil
    world.reload(config)
    world.run(for: .seconds(20))

    #expect(Self.wait(world) == .milliseconds(500))
    #expect(world.sent(to: "0.example")[0].document?["address"] == .null)
  }

  @Test func noAddressIsLoggedAboveDebug() {
    var world = Self.world()
    world.press()
    world.run(for: .seconds(60))

    for line in world.logs where line.level < .debug {
      #expect(!line.text.contains("Melati") && !line.text.contains("Bogor") && !line.text.contains("6.17"))
    }
  }
}
