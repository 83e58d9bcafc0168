/// What the wall clock said at one instant of this boot, so that any instant of it can be dated.
package struct WallClock: Hashable, Sendable {
  package var reading: WallTime
  package var readAt: BootTime

  package init(reading: WallTime, readAt: BootTime) {
    self.reading = reading
    self.readAt = readAt
  }

  /// The wall time of an instant of this boot, by the newest reading.
  package func date(of instant: BootTime) -> WallTime {
    reading.advanced(by: instant - readAt)
  }
}
