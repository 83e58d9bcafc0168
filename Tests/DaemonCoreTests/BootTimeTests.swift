import Testing

@testable import DaemonCore

@Suite struct BootTimeTests {
  @Test func saturatesInsteadOfTrapping() {
    #expect(BootTime(nanoseconds: .max) + .seconds(1) == BootTime(nanoseconds: .max))
    #expect(BootTime(nanoseconds: .min) - .seconds(1) == BootTime(nanoseconds: .min))
    #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
  }

  @Test func differenceIsWhatWasAdded() {
    let start = BootTime(nanoseconds: 5_000_000_000)

    #expect((start + .milliseconds(1500)) - start == .milliseconds(1500))
  }
}
