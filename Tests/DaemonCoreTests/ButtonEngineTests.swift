import Foundation
import Testing

@testable import DaemonCore

@Suite struct ButtonEngineTests {
  @Test func sixPressesInPanicAreOneAlertAndALaterOneTellsEveryoneAgain() {
    var time = EngineTimeline()

    for number in 0..<6 { time.hear([press(Double(number) * 2000), release(Double(number) * 2000 + 300)]) }
    time.wait(until: at(ms: 20_000))
    #expect(time.alerts.count == 1)
    let id = time.alerts.first?.id ?? ""
    #expect(time.engine.outbox.deliveries(of: id).map(\.kind) == [.alert])
    time.hear([press(70_000), release(70_300)])
    time.wait(until: at(ms: 71_000))

    #expect(time.alerts.map(\.state) == [.open])
    #expect(time.engine.outbox.deliveries(of: id).map(\.kind) == [.alert, .update])
    #expect(time.engine.outbox.deliveries(of: id).last?.reason == .pressedAgain)
  }

  @Test(arguments: [3 * 3600, -2 * 3600]) func stepsOfTheWallClockDoNotMatter(seconds: Int64) {
    var time = EngineTimeline()

    time.hear([press(1000)])
    time.wall.milliseconds += 1000 + seconds * 1000
    time.now = at(ms: 1010)
    time.feed(.clockRead(time.wall))
    time.feed(.clockStepped)
    time.hear([release(1300)])
    time.wait(until: at(ms: 2000))

    #expect(time.alerts.map(\.pressed) == [at(ms: 1000)])
    #expect(time.alerts.first?.pressedAt == time.wall.advanced(by: .milliseconds(-10)))
  }

  @Test func nothingSettlesBeforeTheLineIsRead() {
    var time = EngineTimeline()

    time.hear([press(0)])
    time.now = at(ms: 500)
    time.feed(.clockRead(time.wall))
    time.feed(.edges([release(5)], level: false, lost: false))
    time.wait(until: at(ms: 1000))

    #expect(time.alerts.isEmpty)
  }

  @Test func aFloodRaisesNothingAndCostsABoundedNumberOfActions() {
    var time = EngineTimeline()
    var next = 0

    // As the loop reads it: while the line rests, the kernel keeps the first 16 edges of each 20 ms.
    while next < 60_000 {
      let resting = time.engine.button?.isNoisy == true
      let span = resting ? 20 : 1
      let kept = (next..<next + span).prefix(16).map {
        Edge(pressed: $0 % 2 == 0, at: at(ms: Double($0)))
      }
      next += span
      time.wait(until: at(ms: Double(next - 1)))
      time.feed(.edges(kept, level: (next - 1) % 2 == 0, lost: resting))
    }
    time.wait(until: at(ms: Double(next)))
    time.feed(.edges([release(Double(next))], level: false, lost: false))
    let floodActions = time.count { if case .restButton = $0 { false } else { true } }
    #expect(time.engine.status.button.state == .noisy)
    #expect(time.levels(of: "floods") == [.warning])
    #expect(floodActions < 100)
    #expect(time.count { if case .restButton = $0 { true } else { false } } <= 3050)
    time.wait(until: at(ms: 66_500))
    #expect(time.engine.status.button.state == .ready)
    time.hear([press(66_500), release(66_700)])
    time.wait(until: at(ms: 68_000))

    #expect(time.alerts.map(\.pressed) == [at(ms: 66_500)])
    #expect(time.levels(of: "quiet again") == [.notice])
  }

  @Test func aQuietButtonCostsNoWakeUps() {
    var time = EngineTimeline()

    time.wait(until: at(ms: 500_000))

    #expect(time.wakes == 0)
  }

  @Test func busyLineIsAskedForAgainAndToldOnlyIfItLasts() {
    var time = EngineTimeline(opened: false)

    time.feed(.buttonFailed(.busy(line: "17", consumer: "soteriad")))
    #expect(time.count { $0 == .notify(.ready(status: time.engine.headline.line)) } == 1)
    #expect(time.levels(of: "in use by") == [.debug])
    time.wait(until: at(ms: 20))
    #expect(time.opens == 2)
    time.feed(.buttonFailed(.busy(line: "17", consumer: "other")))
    time.wait(until: at(ms: 100))
    time.feed(.buttonFailed(.busy(line: "17", consumer: "other")))
    #expect(time.levels(of: "in use by") == [.debug, .error, .debug])
    time.wait(until: at(ms: 5000))
    time.open()
    time.hear([press(6000), release(6200)])
    time.wait(until: at(ms: 7000))

    #expect(time.alerts.count == 1)
    #expect(time.levels(of: "watching") == [.notice])
  }

  @Test func vanishedChipIsReopenedWhenTheDevicesChange() {
    var time = EngineTimeline()

    time.hear([press(0)])
    time.feed(.buttonVanished)
    #expect(time.count { $0 == .closeButton } == 1)
    #expect(time.engine.status.button.state == .unavailable)
    #expect(time.levels(of: "went away") == [.error])
    let before = time.opens
    time.feed(.devicesChanged)
    #expect(time.opens == before + 1)
    time.open()
    time.hear([press(2000), release(2200)])
    time.wait(until: at(ms: 3000))

    #expect(time.alerts.map(\.pressed) == [at(ms: 2000)])
  }

  @Test func failureThatStaysIsToldOnce() {
    var time = EngineTimeline(opened: false)

    for _ in 0..<5 {
      time.feed(.buttonFailed(.chipMissing(wanted: "rp1", present: [])))
      time.wait(until: time.now + .seconds(11))
    }

    #expect(time.levels(of: "no GPIO chip") == [.error, .debug, .debug, .debug, .debug])
  }

  @Test func markSaysReleasedOnlyUntilAPressIsHandled() {
    var time = EngineTimeline()
    let marks = { (time: EngineTimeline) in
      time.actions.filter { $0 == .markReleased || $0 == .markPressed }
    }

    #expect(marks(time) == [.markReleased])
    time.hear([press(0)])
    time.wait(until: at(ms: 100))
    #expect(marks(time) == [.markReleased, .markPressed])
    time.hear([release(200)])
    time.wait(until: at(ms: 300))

    #expect(marks(time) == [.markReleased, .markPressed, .markReleased])
  }

  @Test func aHeldButtonIsNotMarkedReleasedAtStart() {
    for mark in [nil, at(ms: -1000)] {
      var time = EngineTimeline(opened: false)

      time.open(pressed: true, lastSeenReleased: mark)

      #expect(time.count { $0 == .markReleased } == 0)
    }
  }

  @Test func stuckIsAProblemUntilReleased() {
    var time = EngineTimeline()

    time.hear([press(0)])
    time.wait(until: at(ms: 31_000))
    #expect(time.engine.status.button.state == .stuck)
    #expect(time.levels(of: "stuck?") == [.warning])
    time.hear([release(40_000)])
    time.wait(until: at(ms: 41_000))

    #expect(time.engine.status.button.state == .ready)
    #expect(time.levels(of: "released after 40 s") == [.notice])
  }
}

@Suite struct ButtonTestTests {
  static func testing(_ settings: ButtonSettings = .sample(), seconds: Int = 30) -> EngineTimeline {
    var time = EngineTimeline(settings)
    time.feed(.commanded(EngineTimeline.client, .testButton(for: .seconds(seconds))))
    return time
  }

  @Test func pressesAreShownAndRaiseNoAlert() {
    var time = Self.testing()

    #expect(time.engine.status.isTesting)
    time.hear([press(1000), release(1001), press(1004), release(1300)])
    time.hear([press(20_000), release(20_300)])
    time.wait(until: at(ms: 31_000))

    #expect(time.alerts.isEmpty)
    #expect(!time.engine.status.isTesting)
    #expect(time.replies.filter { $0.contains("\"pressed (") }.count == 2)
    #expect(time.replies.last?.contains("2 presses seen; suggested button.debounce: 10ms") == true)
    #expect(time.replies.last?.contains("\"exit\":0") == true)
  }

  @Test(arguments: [(2990.0, 0), (3001.0, 1)]) func holdingFor3SecondsAlerts(released: Double, alerts: Int) {
    let edges = [press(1000), release(1000 + released)]
    var prompt = Self.testing()
    var late = prompt

    prompt.hear(edges)
    prompt.wait(until: at(ms: 9000))
    late.now = at(ms: 8000)
    late.feed(.edges(edges, level: false, lost: false))
    late.wait(until: at(ms: 9000))

    #expect(prompt.alerts.count == alerts)
    #expect(late.alerts.count == alerts)
    #expect(prompt.engine.status.isTesting == (alerts == 0))
  }

  @Test func aReleaseInSightIsNotHeldOnBySomeOtherWakeUp() {
    var time = Self.testing()

    time.hear([press(1000), release(3990)])
    time.wait(until: at(ms: 4005))
    time.wait(until: at(ms: 5000))

    #expect(time.alerts.isEmpty)
  }

  @Test(arguments: [([0.0, 2000, 4900], 1), ([0.0, 2000, 5100], 0)])
  func theThirdPressWithin5SecondsAlerts(starts: [Double], alerts: Int) {
    var time = Self.testing()

    for start in starts { time.hear([press(start), release(start + 200)]) }
    time.wait(until: at(ms: 9000))

    #expect(time.alerts.count == alerts)
  }

  @Test func aHoldThatOutlastsTheTestStillAlerts() {
    var time = Self.testing(seconds: 2)

    time.hear([press(1000)])
    time.wait(until: at(ms: 6000))

    #expect(time.alerts.count == 1)
  }

  @Test func aPressFromBeforeTheTestIsMeant() {
    var time = EngineTimeline(.sample(hold: 3000))

    time.hear([press(0)])
    time.wait(until: at(ms: 1000))
    time.feed(.commanded(EngineTimeline.client, .testButton(for: .seconds(30))))
    time.wait(until: at(ms: 5000))

    #expect(time.alerts.count == 1)
  }

  @Test func endsWithItsCaller() {
    var time = Self.testing()

    time.feed(.clientGone(EngineTimeline.client))
    #expect(!time.engine.status.isTesting)
    time.hear([press(1000), release(1200)])
    time.wait(until: at(ms: 2000))

    #expect(time.alerts.count == 1)
  }

  @Test func doesNotBeginWithoutTheLine() {
    var time = EngineTimeline(opened: false)

    time.feed(.commanded(EngineTimeline.client, .testButton(for: .seconds(30))))

    #expect(!time.engine.status.isTesting)
    #expect(time.replies == [#"{"error":"the button is not available; see 'soteriad status'"}"#])
  }

  @Test func endsWhenTheButtonGoesAway() {
    var time = Self.testing()

    time.feed(.buttonVanished)

    #expect(!time.engine.status.isTesting)
    #expect(time.replies.last?.contains("went away") == true)
  }

  @Test(arguments: [(0.0, 10), (4.9, 10), (5.1, 15), (7.9, 20), (60, 120), (500, 200)])
  func suggestsTwiceTheLongestBounce(bounce: Double, suggested: Int) {
    var test = ButtonTest(client: EngineTimeline.client, started: at(ms: 0), until: at(ms: 1000))

    test.bounced(.microseconds(Int(bounce * 1000)))
    test.bounced(.zero)

    #expect(test.suggestedDebounce == .milliseconds(suggested))
  }
}

extension EngineTimeline {
  /// How often the line was asked for.
  fileprivate var opens: Int {
    count {
      if case .openButton = $0 { true } else { false }
    }
  }
}
