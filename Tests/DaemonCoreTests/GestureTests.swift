import Foundation
import Testing

@testable import DaemonCore

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
