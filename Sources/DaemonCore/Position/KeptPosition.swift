/// A fix as it outlives a restart or a power cut.
package struct KeptPosition: Hashable, Sendable {
  package var fix: Fix
  /// When it arrived, by the calendar.
  package var seenAt: WallTime
  /// The boot in which it arrived, and when in it.
  package var bootID: String
  package var bootTime: BootTime

  package init(fix: Fix, seenAt: WallTime, bootID: String, bootTime: BootTime) {
    self.fix = fix
    self.seenAt = seenAt
    self.bootID = bootID
    self.bootTime = bootTime
  }

  /// How old it is: exact within the same boot, by the calendar where that was and is trusted, else nil.
  package func age(at now: BootTime, clock: WallClock, bootID: String) -> Duration? {
    if bootID == self.bootID, now >= bootTime { return now - bootTime }
    let today = clock.date(of: now)
    guard today.trusted, seenAt.trusted, today.milliseconds >= seenAt.milliseconds else { return nil }
    let (span, overflow) = today.milliseconds.subtractingReportingOverflow(seenAt.milliseconds)
    return overflow ? nil : .milliseconds(span)
  }
}
