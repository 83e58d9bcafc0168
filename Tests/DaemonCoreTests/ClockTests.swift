import Foundation
import Testing

@testable import DaemonCore

/// When the wall clock can be trusted although nobody vouches for it.
@Suite struct ClockTests {
  /// 2026-11-30 09:14 UTC.
  static let wall: Int64 = 1_796_030_040_000

  static func reading(_ milliseconds: Int64 = wall, trusted: Bool = false) -> Event {
    .clockRead(WallTime(milliseconds: milliseconds, utcOffset: 0, trusted: trusted))
  }

  static func report(seconds: Double, mode: Int = 3, origin: FixOrigin = .measured) -> Event {
    .gpsReported(
      GpsReport(
        mode: mode, latitude: -6.1754, longitude: 106.8272, origin: origin,
        receiverTime: Double(wall) / 1000 + seconds))
  }

  static func isTrusted(_ reports: [Event], then later: [Event] = []) -> Bool {
    var time = EngineTimeline()
    time.feed(reading())
    for event in reports + later { time.feed(event) }
    time.feed(.networkChanged)
    return time.engine.clock.date(of: time.now).trusted
  }

  @Test func aReceiverThatAgreesProvesTheClock() {
    #expect(!Self.isTrusted([]))
    #expect(Self.isTrusted([Self.report(seconds: -1.2)]))
    #expect(Self.isTrusted([Self.report(seconds: -1.2)], then: [Self.reading(Self.wall + 900)]))
  }

  @Test func oneThatDisagreesOrHasNoFixOrIsSimulatedDoesNot() {
    #expect(!Self.isTrusted([Self.report(seconds: -1024 * 7 * 86_400)]))
    #expect(!Self.isTrusted([Self.report(seconds: 3.5)]))
    #expect(!Self.isTrusted([Self.report(seconds: 0, mode: 1)]))
    #expect(!Self.isTrusted([Self.report(seconds: 0, origin: .simulated)]))
  }

  @Test func theProofEndsWhenTheClockIsSetOrTheReceiverDisagrees() {
    let proven = [Self.report(seconds: 0)]
    #expect(!Self.isTrusted(proven, then: [Self.reading(Self.wall + 8 * 30 * 86_400_000)]))
    #expect(!Self.isTrusted(proven, then: [Self.report(seconds: 60), Self.reading()]))
  }

  @Test func whatTheSystemVouchesForNeedsNoReceiver() {
    #expect(Self.isTrusted([Self.reading(trusted: true)]))
    #expect(Self.isTrusted([Self.reading(trusted: true), Self.report(seconds: 60)]))
  }

  /// 2014-07-03, where a device without a clock of its own may begin.
  @Test func aClockFromBeforeTheReleaseIsAProblemAndHoldsNothingUp() {
    var time = EngineTimeline()
    time.feed(Self.reading(1_404_345_600_000))
    time.hear([press(5000)])
    time.wait(until: at(ms: 5100))

    #expect(time.engine.status.problems.contains(.clockUnset(year: 2014)))
    #expect(time.count { if case .send = $0 { true } else { false } } == 1)
    #expect(time.alerts.map(\.pressedAt.trusted) == [false])
    time.feed(Self.reading(trusted: true))
    #expect(!time.engine.status.problems.contains { if case .clockUnset = $0 { true } else { false } })
    #expect(time.alerts.map(\.pressedAt.trusted) == [true])
  }

  @Test func anAlertFromBeforeTheProofIsDatedByIt() {
    var time = EngineTimeline()
    time.feed(Self.reading())
    time.hear([press(1000)])
    time.wait(until: at(ms: 1100))
    #expect(time.alerts.map(\.pressedAt.trusted) == [false])

    time.feed(Self.reading(Self.wall + 1100))
    time.feed(Self.report(seconds: 1))

    #expect(time.alerts.map(\.pressedAt.trusted) == [true])
  }
}
