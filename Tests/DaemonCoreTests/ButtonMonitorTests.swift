import Foundation
import Testing

@testable import DaemonCore

@Suite struct DebouncerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var edges: [Edge]
    var presses: Int
    var debounce = 30
    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "a spike", edges: [press(0), release(0.2)], presses: 0),
    Case(name: "a spike at the shortest debounce", edges: [press(0), release(0.2)], presses: 0, debounce: 1),
    Case(name: "a clean press", edges: [press(0), release(200)], presses: 1),
    Case(name: "too short", edges: [press(0), release(29)], presses: 0),
    Case(name: "just long enough", edges: [press(0), release(30)], presses: 1),
    Case(name: "bounce in front", edges: [press(0), release(1), press(3), release(200)], presses: 1),
    Case(name: "bounce behind", edges: [press(0), release(200), press(205), release(206)], presses: 1),
    Case(
      name: "bounce behind, shortest debounce",
      edges: [press(0), release(200), press(215), release(216)], presses: 1, debounce: 1),
    Case(name: "two presses", edges: [press(0), release(200), press(400), release(600)], presses: 2),
    Case(name: "two rising edges", edges: [press(0), press(5), release(200)], presses: 1),
    Case(name: "a rising edge again while down", edges: [press(0), press(100), release(200)], presses: 1),
    Case(name: "two falling edges", edges: [press(0), release(200), release(205)], presses: 1),
    Case(name: "lost edge: chattering on", edges: [press(0), press(25), release(35)], presses: 0),
  ]

  @Test(arguments: cases) func countsWhatLasted(_ each: Case) {
    var time = MonitorTimeline(.sample(debounce: each.debounce))

    time.hear(each.edges)
    time.wait(until: at(ms: 2000))

    #expect(time.gestures.count == each.presses)
    #expect(!time.monitor.isPressed)
  }

  @Test(arguments: cases) func countsTheSameAfterALateWakeUp(_ each: Case) {
    var time = MonitorTimeline(.sample(debounce: each.debounce))

    time.hearLate(each.edges, level: false, at: at(ms: 1500))
    time.wait(until: at(ms: 2000))

    #expect(time.gestures.count == each.presses)
    #expect(!time.monitor.isPressed)
  }

  @Test(arguments: [1, 20, 50]) func fiftyBouncingPressesAreFifty(debounce: Int) {
    var time = MonitorTimeline(.sample(debounce: debounce))

    for number in 0..<50 {
      let start = Double(number) * 235
      time.hear([press(start), release(start + 1), press(start + 2), release(start + 2.5), press(start + 4)])
      time.hear([release(start + 80), press(start + 81), release(start + 83), press(start + 84)])
      time.hear([release(start + 85)])
    }
    time.wait(until: at(ms: 50 * 235 + 100))

    #expect(time.gestures.count == 50)
    #expect(time.levels == (0..<50).flatMap { _ in [true, false] })
    #expect(!time.monitor.isPressed)
  }

  @Test func pressIsDatedByItsEdgeNotByTheWakeUp() {
    var time = MonitorTimeline()

    time.hearLate([press(0), release(200)], level: false, at: at(ms: 900))

    #expect(time.gestures == [at(ms: 0)])
  }

  @Test(arguments: [true, false]) func levelIsReadAfterABurstThatOverflowed(held: Bool) {
    let kept = (0..<16).map { Edge(pressed: $0 % 2 == 0, at: at(ms: Double($0) / 8)) }
    var time = MonitorTimeline()

    time.hearLate(kept, level: held, lost: true, at: at(ms: 5))
    time.wait(until: at(ms: 1000))

    #expect(time.gestures.count == (held ? 1 : 0))
    #expect(time.monitor.isPressed == held)
  }

  /// The first 16 edges of one that bounces, as a queue keeps them that nobody reads.
  static func overflow(from start: Double) -> [Edge] {
    (0..<16).map { Edge(pressed: $0 % 2 == 0, at: at(ms: start + Double($0) / 2)) }
  }

  @Test func aPressBehindAnOverflowCountsOnceTheLineIsCalm() {
    var time = MonitorTimeline()

    time.hearLate(Self.overflow(from: 0), level: false, lost: true, at: at(ms: 3000))
    #expect(time.gestures.isEmpty)
    time.wait(until: at(ms: 4000))

    #expect(time.gestures == [at(ms: 7.5)])
    #expect(!time.monitor.isPressed)
  }

  @Test func aPressBeforeAnOverflowCountsOnce() {
    var time = MonitorTimeline()

    time.hearLate(
      [press(-900), release(-700)] + Self.overflow(from: 0), level: false, lost: true, at: at(ms: 3000))
    time.wait(until: at(ms: 4000))

    #expect(time.gestures == [at(ms: -900)])
  }

  @Test func aReleaseBeforeAnOverflowHidesNoPressBehindIt() {
    var time = MonitorTimeline()

    time.hear([press(0)])
    time.wait(until: at(ms: 500))
    time.hearLate([release(1000), press(1500), release(1501)], level: false, lost: true, at: at(ms: 3000))
    time.wait(until: at(ms: 4000))

    #expect(time.levels == [true, false, true, false])
    #expect(time.gestures.count == 2)
  }

  @Test(arguments: [20.0, 60, 100, 400]) func aFloodThatIsReadLateIsNoPress(late: Double) {
    var time = MonitorTimeline()

    for number in 1...100 {
      let end = Double(number) * late
      time.hearLate(Self.overflow(from: end - late), level: number % 3 == 0, lost: true, at: at(ms: end))
    }
    #expect(time.monitor.isNoisy)
    time.hear([release(100 * late + 1)])

    #expect(time.gestures.isEmpty)
  }

  @Test func aGapBetweenTwoEdgesIsNoPress() {
    var time = MonitorTimeline()

    time.hearLate(
      [press(0), Edge(pressed: false, at: at(ms: 500), afterLoss: true)], level: false, at: at(ms: 501))
    time.wait(until: at(ms: 1000))

    #expect(time.gestures.isEmpty)
  }

  @Test func lostReleaseDoesNotStick() {
    var time = MonitorTimeline()

    time.hear([press(0)])
    time.wait(until: at(ms: 100))
    time.hearLate([press(150)], level: false, at: at(ms: 160))
    time.hear([press(1000), release(1200)])
    time.wait(until: at(ms: 2000))

    #expect(time.gestures.count == 2)
  }

  @Test(arguments: [Int64.min, Int64.max]) func edgesOfAnyTimeAreHarmless(nanoseconds: Int64) {
    var time = MonitorTimeline()
    let odd = BootTime(nanoseconds: nanoseconds)

    time.hearLate([Edge(pressed: true, at: odd), Edge(pressed: false, at: odd)], level: false, at: at(ms: 1))
    time.wait(until: at(ms: 1000))

    #expect(time.gestures.count <= 1)
  }
}

@Suite struct GestureTests {
  @Test(arguments: [(2990.0, 0), (3000.0, 1), (3500.0, 1)]) func holdMustLast(released: Double, alerts: Int) {
    let edges = [press(0), release(released)]
    var prompt = MonitorTimeline(.sample(hold: 3000))
    var late = prompt

    prompt.hear(edges)
    prompt.wait(until: at(ms: 5000))
    late.hearLate(edges, level: false, at: at(ms: 5000))

    #expect(prompt.gestures.count == alerts)
    #expect(late.gestures.count == alerts)
  }

  @Test func aReleaseInSightIsNotHeldOnBySomeOtherWakeUp() {
    var time = MonitorTimeline(.sample(hold: 3000))

    time.hear([press(0), release(2990)])
    time.wait(until: at(ms: 3005))
    time.wait(until: at(ms: 4000))

    #expect(time.gestures.isEmpty)
  }

  @Test func bounceDuringAHoldDoesNotBreakIt() {
    var time = MonitorTimeline(.sample(hold: 3000))

    time.hear([press(0), release(2990), press(3005)])
    time.wait(until: at(ms: 4000))

    #expect(time.gestures == [at(ms: 3000)])
  }

  @Test(arguments: [([0.0, 900, 1800], 1), ([0.0, 900, 2100], 0), ([0.0, 1500, 3000, 3400], 1)])
  func pressesCountWithinTheirTime(starts: [Double], alerts: Int) {
    var time = MonitorTimeline(.sample(presses: 3))

    for start in starts { time.hear([press(start), release(start + 150)]) }
    time.wait(until: at(ms: 9000))

    #expect(time.gestures.count == alerts)
  }

  @Test func sixQuickPressesAreTwoTriples() {
    var time = MonitorTimeline(.sample(presses: 3))

    for number in 0..<6 { time.hear([press(Double(number) * 300), release(Double(number) * 300 + 100)]) }
    time.wait(until: at(ms: 9000))

    #expect(time.gestures.count == 2)
  }
}

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
