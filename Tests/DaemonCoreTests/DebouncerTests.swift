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
