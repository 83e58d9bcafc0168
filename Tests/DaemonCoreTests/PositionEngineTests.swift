import Foundation
import Testing

@testable import DaemonCore

@Suite struct PositionEngineTests {
  static func opened() -> (EngineTimeline, generation: Int) {
    var time = EngineTimeline()
    let generation = time.engine.gps.generation
    time.feed(.gpsOpened(generation: generation))
    return (time, generation)
  }

  static func positions(_ time: EngineTimeline) -> [PositionFact] { time.alerts.map(\.facts.position) }

  static func notes(_ time: EngineTimeline) -> Int {
    time.actions.reduce(0) { sum, action in
      guard case .store(_, let writes) = action else { return sum }
      return sum
        + writes.filter { if case .note(.position, _) = $0 { true } else { false } }.count
    }
  }

  @Test(arguments: [true, false]) func anAlertNeverWaitsForAFix(connected: Bool) {
    var time = EngineTimeline()
    if connected {
      time.feed(.gpsOpened(generation: time.engine.gps.generation))
      for second in 1...5 {
        time.wait(until: at(ms: Double(second) * 1000))
        time.feed(.gpsReported(GpsReport(mode: 1)))
      }
    }

    time.hear([press(6000)])
    time.wait(until: at(ms: 6031))

    #expect(Self.positions(time) == [.unknown])
    #expect(time.count { if case .send = $0 { true } else { false } } == 1)
  }

  @Test(arguments: [1, 11]) func reportsThatKeepComingWakeNobodyElse(seconds: Int) {
    var (time, _) = Self.opened()
    time.feed(.gpsReported(report(52, 5)))

    for _ in 0..<20 {
      let next = time.now + .seconds(seconds)
      #expect(time.engine.nextDeadline.map { $0 > next } ?? true)
      time.now = next
      time.feed(.gpsReported(report(52, 5)))
    }
  }

  @Test func gpsdThatReturnsElsewhereIsBelieved() {
    var (time, generation) = Self.opened()
    time.feed(.gpsReported(report(52, 5)))
    time.feed(.gpsLost(generation: generation, reason: "reset"))

    for _ in 0..<3 {
      time.wait(until: time.now + .seconds(10))
      time.feed(.gpsLost(generation: time.engine.gps.generation, reason: "refused"))
    }
    time.wait(until: time.now + .seconds(10))
    #expect(time.engine.status.gps.state == .disconnected)
    time.feed(.gpsOpened(generation: time.engine.gps.generation))
    time.feed(.gpsReported(report(52.009, 5)))
    time.hear([press((time.now - at(ms: 0)).inSeconds * 1000 + 20_000)])
    time.wait(until: time.now + .seconds(1))

    #expect(Self.positions(time).first?.fix?.latitude == 52.009)
    #expect(time.levels(of: "gpsd: not connected") == [.warning, .warning, .debug, .debug])
    #expect(time.levels(of: "gpsd: connected") == [.notice, .notice])
  }

  @Test func aSilentReceiverMakesTheFixLastKnown() {
    var (time, _) = Self.opened()
    for second in 0..<10 {
      time.wait(until: at(ms: Double(second) * 1000))
      time.feed(.gpsReported(report(52, 5)))
    }
    #expect(time.engine.status.gps.state == .fix)
    time.wait(until: at(ms: 60_000))
    #expect(time.engine.status.gps.state == .stale)
    time.wait(until: at(ms: 130_000))
    #expect(time.levels(of: "silent for 120 s") == [.notice])
    time.feed(.gpsOpened(generation: time.engine.gps.generation))
    time.hear([press(609_000)])
    time.wait(until: at(ms: 609_500))

    let fix = Fix(latitude: 52, longitude: 5)
    #expect(Self.positions(time) == [.known(fix, age: .milliseconds(600_030), lastKnown: true)])
    #expect(time.levels(of: "silent for 120 s").count == 1)
  }

  @Test func aReceiversDateIsToldOnceAndNeverUsed() {
    var (time, _) = Self.opened()
    var rolledOver = report(52, 5)
    rolledOver.receiverTime = 935_280_151

    time.feed(.gpsReported(rolledOver))
    time.feed(.gpsReported(rolledOver))
    time.hear([press(0)])
    time.wait(until: at(ms: 100))

    #expect(
      Self.positions(time).first
        == .known(Fix(latitude: 52, longitude: 5), age: .milliseconds(30), lastKnown: false))
    #expect(time.alerts.first?.pressedAt == time.wall)
    #expect(time.levels(of: "week rollover") == [.notice])
  }

  @Test func rubbishIsCountedAndToldOnce() {
    var (time, _) = Self.opened()

    time.feed(.gpsRubbish)
    time.feed(.gpsRubbish)

    #expect(time.levels(of: "no report") == [.warning])
    #expect(time.engine.status.gps.rubbish == 2)
    #expect(time.engine.gps.isConnected)
  }

  @Test func aStationaryWearerIsWrittenAtTheFirstFixAndAtTheStop() {
    var (time, _) = Self.opened()

    for second in 0..<1000 {
      time.wait(until: at(ms: Double(second) * 1000))
      time.feed(.gpsReported(report(52, 5)))
    }
    #expect(Self.notes(time) == 1)
    time.feed(.stopRequested)

    #expect(Self.notes(time) == 2)
    #expect(time.actions.last == .exit(status: 0))
  }

  @Test func theFullestBatterysChargeIsInTheMessage() {
    var time = EngineTimeline()
    time.feed(.batteriesRead([12, 40, 250, -3]))

    time.hear([press(1000)])
    time.wait(until: at(ms: 1100))

    #expect(time.alerts.map(\.facts.battery) == [40])
  }

  @Test func theChargeIsAskedForAtTheStartAndThenOnceAMinuteButWakesNobody() {
    var time = EngineTimeline()
    #expect(time.count { $0 == .readBatteries } == 1)
    time.feed(.networkChanged)
    #expect(time.count { $0 == .readBatteries } == 1)

    let deadline = time.engine.nextDeadline
    time.now = at(ms: 61_000)
    time.feed(.networkChanged)

    #expect(time.count { $0 == .readBatteries } == 2)
    #expect(deadline != at(ms: 60_000))
  }
}
