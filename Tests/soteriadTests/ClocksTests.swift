import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct ClocksTests {
  @Test func bootClockDoesNotRunBackwards() {
    let first = Clocks.now

    #expect(Clocks.now >= first)
    #expect(Clocks.suspended >= .zero)
  }
}
