import Foundation
import Testing

@testable import DaemonCore

@Suite struct ButtonAtStartTests {
  @Test func heldAtStartIsNoPressButTheNextOneIs() {
    var time = MonitorTimeline(pressed: true)

    time.hear([release(1000), press(3000), release(3200)])
    time.wait(until: at(ms: 5000))

    #expect(time.gestures == [at(ms: 3000)])
  }

  @Test func heldAtStartForLongIsStuck() {
    var time = MonitorTimeline(pressed: true)

    time.wait(until: at(ms: 60_000))

    #expect(time.gestures.isEmpty)
    #expect(time.monitor.isStuck)
  }

  @Test func firstEdgeEverMayBeAPress() {
    var time = MonitorTimeline()

    time.hear([press(10), release(11), press(13)])
    time.wait(until: at(ms: 500))

    #expect(time.gestures.count == 1)
  }

  struct Held: Sendable {
    var seconds: Int?
    var alerts: Int
  }
  @Test(arguments: [
    Held(seconds: nil, alerts: 0), Held(seconds: 1, alerts: 1), Held(seconds: 59, alerts: 1),
    Held(seconds: 60, alerts: 0), Held(seconds: -1, alerts: 0),
  ]) func heldAtStartCountsIfItWasSeenReleasedAMomentAgo(_ each: Held) {
    for adopted in [false, true] {
      var time = MonitorTimeline(
        pressed: true, adopted: adopted, lastSeenReleased: each.seconds.map { at(ms: 0) - .seconds($0) })

      time.wait(until: at(ms: 500))
      time.hear([release(600)])
      time.wait(until: at(ms: 1000))

      #expect(time.gestures.count == each.alerts)
      #expect(!time.monitor.isPressed)
    }
  }

  struct Interrupted: Sendable {
    var hold = 0
    var before: [Edge]
    var until: Double
    var kept: [Edge]
    var after: [Edge]
    var gestures: [BootTime]
  }
  static let interrupted = [
    // The press had not settled; it did, or it was a bounce.
    Interrupted(
      before: [press(0)], until: 10, kept: [press(0)], after: [release(200)], gestures: [at(ms: 0)]),
    Interrupted(before: [press(0)], until: 10, kept: [press(0)], after: [release(12)], gestures: []),
    // It was held, for long enough or not.
    Interrupted(
      hold: 1000, before: [press(0)], until: 500, kept: [press(0)], after: [release(1100)],
      gestures: [at(ms: 1000)]),
    Interrupted(
      hold: 1000, before: [press(0)], until: 500, kept: [press(0)], after: [release(900)], gestures: []),
    // A bounce amid a hold, which goes on.
    Interrupted(
      hold: 1000, before: [press(0), release(490)], until: 500, kept: [press(0), release(490)],
      after: [press(502), release(1100)], gestures: [at(ms: 1000)]),
    // It has counted, or there was none.
    Interrupted(before: [press(0)], until: 500, kept: [], after: [release(600)], gestures: []),
    Interrupted(before: [press(0), release(100)], until: 500, kept: [], after: [], gestures: []),
  ]
  @Test(arguments: interrupted) func aPressGoesOnInTheNextRun(_ each: Interrupted) {
    var settings = ButtonSettings.sample()
    settings.hold = .milliseconds(each.hold)
    var first = MonitorTimeline(settings)
    first.hear(each.before)
    first.wait(until: at(ms: each.until))
    #expect(first.monitor.unfinished == each.kept)

    var next = MonitorTimeline(settings, pressed: nil, adopted: true)
    next.hearLate(each.kept + each.after, level: nil, at: at(ms: 2000))
    next.wait(until: at(ms: 5000))

    #expect(next.gestures == each.gestures)
  }

  @Test func pressMadeWhileTheDaemonWasDownCounts() {
    var time = MonitorTimeline(pressed: false, adopted: true)

    time.hearLate([press(-5000), release(-4800)], level: false, at: at(ms: 0))

    #expect(time.gestures == [at(ms: -5000)])
  }

  @Test func pressMadeWhileTheDaemonWasDownCountsWhileStillHeld() {
    var time = MonitorTimeline(pressed: true, adopted: true)

    time.hearLate([press(-5000)], level: true, at: at(ms: 0))

    #expect(time.gestures == [at(ms: -5000)])
    #expect(time.monitor.pressedSince == at(ms: -5000))
  }

  @Test func releaseInTheQueueMeansThatThePressWasHandled() {
    var time = MonitorTimeline(pressed: false, adopted: true)

    time.hearLate([release(-100), press(-90), release(-85)], level: false, at: at(ms: 0))
    time.wait(until: at(ms: 1000))

    #expect(time.gestures.isEmpty)
    #expect(!time.monitor.isPressed)
  }

  @Test func adoptedLineWithAnEmptyQueueWorks() {
    var time = MonitorTimeline(pressed: false, adopted: true)

    time.hear([press(1000), release(1200)])
    time.wait(until: at(ms: 2000))

    #expect(time.gestures == [at(ms: 1000)])
  }
}

@Suite struct ButtonTroubleTests {
  @Test func floodIsCalledOnceAndTheNextPressCounts() {
    for debounce in [30, 200] {
      var time = MonitorTimeline(.sample(debounce: debounce))

      for milliseconds in 0..<30_000 {
        time.hear([Edge(pressed: milliseconds % 2 == 0, at: at(ms: Double(milliseconds)))])
      }
      #expect(time.monitor.isNoisy)
      #expect(time.findings == [.noise(true)])
      time.wait(until: at(ms: 36_100))
      #expect(!time.monitor.isNoisy)
      time.hear([press(36_100), release(36_350)])
      time.wait(until: at(ms: 40_000))

      #expect(time.gestures == [at(ms: 36_100)])
      #expect(time.findings.count == 5)
    }
  }

  @Test func aPressCountsWhileTheLineIsStillCalledNoisy() {
    var time = MonitorTimeline()

    for milliseconds in 0..<1000 {
      time.hear([Edge(pressed: milliseconds % 2 == 0, at: at(ms: Double(milliseconds)))])
    }
    time.hear([press(3000), release(3040)])
    time.hear([press(4000), release(4200)])
    time.wait(until: at(ms: 4500))

    #expect(time.gestures == [at(ms: 4000)])
  }

  @Test func aFloodReadInOneGoIsKnownBeforeItsEdgesCount() {
    var time = MonitorTimeline(.sample(debounce: 1))
    let flood = (0..<300).map { Edge(pressed: $0 % 2 == 0, at: at(ms: Double($0))) }

    time.hearLate(flood, level: false, at: at(ms: 300))

    #expect(time.findings == [.noise(true)])
  }

  @Test func aFingerIsNoNoise() {
    var time = MonitorTimeline()

    for number in 0..<82 { time.hear([Edge(pressed: number % 2 == 0, at: at(ms: Double(number)))]) }

    #expect(!time.monitor.isNoisy)
  }

  @Test func otherEventsDoNotPutOffTheReadingOfAFloodingLine() {
    var time = MonitorTimeline()
    let flood = (0..<300).map { Edge(pressed: $0 % 2 == 0, at: at(ms: Double($0))) }

    time.hearLate(flood, level: false, at: at(ms: 300))
    _ = time.monitor.advance(to: at(ms: 310))

    #expect(time.monitor.nextDeadline(at: at(ms: 310)) == at(ms: 320))
  }

  @Test func stuckIsSaidOnceAndTakenBack() {
    var time = MonitorTimeline()

    time.hear([press(0)])
    time.wait(until: at(ms: 29_999))
    #expect(!time.monitor.isStuck)
    time.wait(until: at(ms: 90_000))
    #expect(time.monitor.isStuck)
    time.hear([release(90_000)])
    time.wait(until: at(ms: 91_000))

    #expect(!time.monitor.isStuck)
    #expect(time.findings.filter { $0 == .stuck(since: at(ms: 0)) }.count == 1)
    #expect(time.findings.filter { $0 == .unstuck(after: .seconds(90)) }.count == 1)
    #expect(time.gestures.count == 1)
  }

  @Test func retriesAreBoundedAndNeverAtOnce() {
    var monitor = ButtonMonitor(settings: .sample())
    var waits: [Duration] = []
    var now = at(ms: 0)

    for _ in 0..<10_000 {
      monitor.failed(.busy(line: "17", consumer: "x"), at: now)
      guard case .missing(_, _, let retry) = monitor.link else {
        Issue.record("not missing")
        return
      }
      waits.append(retry - now)
      now = retry
      monitor.reopening(at: now)
      #expect(monitor.nextDeadline(at: now).map { $0 > now } == true)
    }

    #expect(waits.first == .milliseconds(20))
    #expect(waits.allSatisfy { $0 >= .milliseconds(20) && $0 <= .seconds(10) })
    #expect(waits.last == .seconds(10))
  }
}
