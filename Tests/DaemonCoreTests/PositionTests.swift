import Foundation
import Testing

@testable import DaemonCore

private let clock = WallClock(
  reading: WallTime(milliseconds: 1_796_004_847_000, utcOffset: 0, trusted: true), readAt: at(ms: 0))

func report(
  _ latitude: Double?, _ longitude: Double?, mode: Int = 3, accuracy: Double? = nil, device: String = ""
) -> GpsReport {
  GpsReport(device: device, mode: mode, latitude: latitude, longitude: longitude, accuracy: accuracy)
}

extension FixStore {
  fileprivate func position(ms: Double) -> PositionFact {
    position(at: at(ms: ms), staleAfter: .seconds(30), clock: clock, bootID: "boot")
  }
}

@Suite struct FixStoreTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var report: GpsReport
    var expected: PositionFact
    var testDescription: String { name }

    init(_ name: String, _ report: GpsReport, _ expected: PositionFact) {
      self.name = name
      self.report = report
      self.expected = expected
    }
  }

  static func known(_ latitude: Double, _ longitude: Double, mode: FixMode = .threeD) -> PositionFact {
    .known(Fix(latitude: latitude, longitude: longitude, mode: mode), age: .zero, lastKnown: false)
  }

  static let cases = [
    Case("no fix", report(nil, nil, mode: 1), .unknown),
    Case("nothing at all", report(nil, nil, mode: 0), .unknown),
    Case("sparse 2D", report(52.1, 5.3, mode: 2), known(52.1, 5.3, mode: .twoD)),
    Case("3D without coordinates", report(nil, nil), .unknown),
    Case("half a place", report(52.1, nil), .unknown),
    Case("coordinates without a fix", report(52.1, 5.3, mode: 1), .unknown),
    Case("0,0", report(0, 0), .implausible),
    Case("near 0,0", report(0.05, -0.05), .implausible),
    Case("Kenya", report(0, 36.9), known(0, 36.9)),
    Case("Greenwich", report(51.48, 0), known(51.48, 0)),
    Case("west of Greenwich by less than a degree", report(39.146998, -0.38472), known(39.146998, -0.38472)),
    Case("south of the equator by less", report(-0.5, 0.5), known(-0.5, 0.5)),
    Case("south", report(-37.78, 175.31), known(-37.78, 175.31)),
    Case("beyond the pole", report(90.1, 5), .implausible),
    Case("beyond the date line", report(5, 180.1), .implausible),
    Case("no number", report(.nan, 5), .implausible),
    Case("no end", report(5, .infinity), .implausible),
  ]

  @Test(arguments: cases) func takesOnlyWhatIsAPlace(_ each: Case) {
    var store = FixStore()

    store.reported(each.report, at: at(ms: 0))

    #expect(store.position(ms: 0) == each.expected)
  }

  static let bad = cases.filter { $0.expected.fix == nil }

  @Test(arguments: bad) func badReportsLeaveTheGoodFix(_ each: Case) {
    var store = FixStore()

    store.reported(report(52.1, 5.3), at: at(ms: 0))
    store.reported(each.report, at: at(ms: 1000))

    let fix = Fix(latitude: 52.1, longitude: 5.3)
    #expect(store.position(ms: 1050) == .known(fix, age: .milliseconds(1050), lastKnown: false))
  }

  @Test func aFixEndsTheTalkOfAnImplausiblePlace() {
    var store = FixStore()

    store.reported(report(0, 0), at: at(ms: 0))
    #expect(store.isImplausible)
    store.reported(report(52.1, 5.3), at: at(ms: 1))

    #expect(!store.isImplausible)
  }

  @Test(arguments: [(30_000.0, false), (30_001.0, true), (600_000.0, true)])
  func ageCountsFromArrival(ms: Double, lastKnown: Bool) {
    var store = FixStore()

    store.reported(report(52.1, 5.3), at: at(ms: 0))

    let fix = Fix(latitude: 52.1, longitude: 5.3)
    #expect(store.position(ms: ms) == .known(fix, age: .milliseconds(Int(ms)), lastKnown: lastKnown))
  }

  @Test func fieldsThatMakeNoSenseAreLeftOut() {
    var store = FixStore()
    var odd = report(52.1, 5.3, accuracy: -1)
    odd.altitude = .infinity
    odd.speed = -3
    odd.course = 361

    store.reported(odd, at: at(ms: 0))
    #expect(store.newest?.fix == Fix(latitude: 52.1, longitude: 5.3))
    odd.accuracy = 850
    odd.altitude = 12
    odd.speed = 1.5
    odd.course = 360
    store.reported(odd, at: at(ms: 0))
    #expect(
      store.newest?.fix
        == Fix(latitude: 52.1, longitude: 5.3, accuracy: 850, altitude: 12, speed: 1.5, course: 0))
    odd.mode = 2
    store.reported(odd, at: at(ms: 0))
    #expect(store.newest?.fix.altitude == nil)
  }

  @Test func ofSeveralReceiversTheBestSpeaks() {
    var store = FixStore()

    store.reported(report(1, 1, accuracy: 3, device: "a"), at: at(ms: 0))
    store.reported(report(2, 2, accuracy: 9, device: "b"), at: at(ms: 900))
    store.reported(report(3, 3, device: "c"), at: at(ms: 950))
    store.reported(report(4, 4, mode: 2, accuracy: 1, device: "d"), at: at(ms: 990))
    #expect(store.position(ms: 1000).fix?.latitude == 1)

    store.reported(report(2, 2, accuracy: 9, device: "b"), at: at(ms: 9000))
    #expect(store.position(ms: 9000).fix?.latitude == 2)
  }

  @Test func ofTwoReceiversThatAreAsGoodTheLaterSpeaks() {
    for devices in [["a", "b"], ["b", "a"]] {
      var store = FixStore()
      store.reported(report(1, 1, accuracy: 3, device: devices[0]), at: at(ms: 0))
      store.reported(report(2, 2, accuracy: 3, device: devices[1]), at: at(ms: 10))

      #expect(store.position(ms: 20).fix?.latitude == 2)
    }
  }

  @Test func receiversWithoutEndTakeNoMemoryWithoutEnd() {
    var store = FixStore()

    for number in 0..<100 {
      store.reported(report(Double(number % 80) + 1, 1, device: "\(number)"), at: at(ms: Double(number)))
    }

    let mirror = Mirror(reflecting: store).children.first { $0.label == "sightings" }?.value
    #expect((mirror as? [(device: String, sighting: FixStore.Sighting)])?.count == FixStore.receivers)
    #expect(store.newest?.at == at(ms: 99))
  }

  // MARK: what outlives a restart

  static func kept(_ latitude: Double = 52.1, trusted: Bool = true, boot: String = "earlier") -> KeptPosition
  {
    let seen = WallTime(milliseconds: clock.reading.milliseconds - 600_000, utcOffset: 0, trusted: trusted)
    return KeptPosition(
      fix: Fix(latitude: latitude, longitude: 5.3), seenAt: seen, bootID: boot, bootTime: at(ms: -7000))
  }

  @Test func restoredPositionIsLastKnownWithItsAgeWhereThatCanBeTold() {
    let cases: [(KeptPosition, Duration?)] = [
      (Self.kept(), .seconds(600)), (Self.kept(trusted: false), nil), (Self.kept(boot: "boot"), .seconds(7)),
    ]
    for (position, age) in cases {
      var store = FixStore()

      store.restore(position)

      #expect(store.position(ms: 0) == .known(position.fix, age: age, lastKnown: true))
    }
  }

  @Test(arguments: [Int64.min, Int64.max]) func restoredTimesOfAnyKindAreHarmless(milliseconds: Int64) {
    var position = Self.kept()
    position.seenAt.milliseconds = milliseconds

    #expect(position.age(at: at(ms: 0), clock: clock, bootID: "boot") == nil)
    position.bootTime = BootTime(nanoseconds: .min)
    #expect(position.age(at: at(ms: 0), clock: clock, bootID: "earlier") != nil)
  }

  @Test func aFixOfThisRunBeatsARestoredOne() {
    var store = FixStore()

    store.reported(report(10, 10), at: at(ms: 0))
    store.restore(Self.kept())

    #expect(store.position(ms: 600_000).fix?.latitude == 10)
  }

  @Test func keptPositionSurvivesItsDocument() {
    let position = Self.kept()

    #expect(KeptPosition(document: position.document) == position)
    #expect(KeptPosition(document: "{") == nil)
  }

  // MARK: what is written

  /// Seconds, metres north of the first fix → whether it is written.
  @Test func writesOnlyRealMovesAndSeldom() {
    let steps: [(Double, Double, Bool)] = [
      (0, 0, true), (1, 0, false), (1000, 150, false), (1001, 201, true), (1100, 1000, false),
      (1300, 1000, false), (1301, 1000, true), (9000, 1000, false),
    ]
    var store = FixStore()

    for (seconds, metres, expected) in steps {
      store.reported(report(52 + metres / 111_195, 5), at: at(ms: seconds * 1000))
      #expect((store.worthWriting(at: at(ms: seconds * 1000)) != nil) == expected, "at \(seconds) s")
    }
  }

  @Test(arguments: [(52.101, false), (52.102, true)])
  func whereTheLastRunLeftOffIsNotWrittenAgain(latitude: Double, written: Bool) {
    var store = FixStore()
    store.restore(Self.kept())

    store.reported(report(latitude, 5.3), at: at(ms: 0))

    #expect((store.worthWriting(at: at(ms: 0)) != nil) == written)
    #expect(store.worthWriting(at: at(ms: 1)) == nil)
  }

  @Test(arguments: [
    (52.0, 5.0, 53.0, 5.0, 111_195.0), (60.0, 5.0, 60.0, 6.0, 55_597.0), (0, 179.5, 0, -179.5, 111_195.0),
    (0, -179.5, 0, 179.5, 111_195.0),
  ]) func distanceIsMetres(_ lat: Double, _ lon: Double, _ toLat: Double, _ toLon: Double, metres: Double) {
    let start = Fix(latitude: lat, longitude: lon)

    let distance = start.distance(to: Fix(latitude: toLat, longitude: toLon))

    #expect(abs(distance - metres) < metres / 100)
  }
}

@Suite struct GpsLinkTests {
  @Test func backOffGrowsToTenSeconds() {
    var link = GpsLink()
    var now = at(ms: 0)
    var waits: [Int64] = []
    var news: [Bool?] = []

    for _ in 0..<7 {
      let generation = link.opening()
      news.append(link.lost(generation: generation, reason: "refused", at: now))
      waits.append(link.nextDeadline.map { ($0 - now).wholeSeconds } ?? -1)
      #expect(!link.isDue(at: now))
      now = link.nextDeadline ?? now
      #expect(link.isDue(at: now))
    }

    #expect(waits == [1, 2, 4, 8, 10, 10, 10])
    #expect(news == [true, false, false, false, false, false, false])
    #expect(link.opened(generation: link.opening(), at: now) == 8)
  }

  @Test func aTryThatIsUnderWayHasMendedNothing() {
    var link = GpsLink()
    let first = link.opening()
    #expect(link.trouble == nil)

    _ = link.lost(generation: first, reason: "refused", at: at(ms: 0))
    #expect(link.trouble == "refused")
    let second = link.opening()
    #expect(link.trouble == "refused")

    _ = link.opened(generation: second, at: at(ms: 1000))
    #expect(link.trouble == nil)
  }

  @Test func anotherReasonIsNews() {
    var link = GpsLink()

    #expect(link.lost(generation: link.opening(), reason: "refused", at: at(ms: 0)) == true)
    #expect(link.lost(generation: link.opening(), reason: "no route", at: at(ms: 1000)) == true)
  }

  @Test func aSessionThatSpokeStartsTheBackOffAnew() {
    var link = GpsLink()
    for _ in 0..<5 { _ = link.lost(generation: link.opening(), reason: "closed", at: at(ms: 0)) }
    let generation = link.opening()
    _ = link.opened(generation: generation, at: at(ms: 0))
    link.reported(at: at(ms: 100))

    #expect(link.lost(generation: generation, reason: "closed", at: at(ms: 200)) == true)
    #expect(link.nextDeadline == at(ms: 1200))
  }

  @Test func aServerThatHangsUpAtOnceIsNotHammered() {
    var link = GpsLink()
    var now = at(ms: 0)
    var news: [Bool?] = []

    for _ in 0..<6 {
      let generation = link.opening()
      _ = link.opened(generation: generation, at: now)
      news.append(link.lost(generation: generation, reason: "closed", at: now))
      now = link.nextDeadline ?? now
    }

    #expect(now == at(ms: 35_000))
    #expect(news == [true, false, false, false, false, false])
  }

  @Test func olderOpeningsAreNotHeard() {
    var link = GpsLink()

    let old = link.opening()
    link.closed()
    let new = link.opening()

    #expect(link.opened(generation: old, at: at(ms: 0)) == nil)
    #expect(link.lost(generation: old, reason: "x", at: at(ms: 0)) == nil)
    #expect(link.opened(generation: new, at: at(ms: 0)) == 1)
  }

  @Test func onlyASessionThatHasSpokenCanBeTooSilent() {
    var link = GpsLink()
    _ = link.opened(generation: link.opening(), at: at(ms: 0))

    #expect(link.nextDeadline == nil)
    link.reported(at: at(ms: 1000))
    #expect(!link.isDue(at: at(ms: 120_999)))
    #expect(link.isDue(at: at(ms: 121_000)))
  }
}
