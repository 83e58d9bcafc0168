import CSystem
import DaemonCore

/// The clocks, read at one place each.
enum Clocks {
  /// Source: CLOCK_BOOTTIME.
  static var now: BootTime { BootTime(nanoseconds: sot_boottime_ns()) }

  /// What CLOCK_MONOTONIC lacks to CLOCK_BOOTTIME: the time spent suspended. Read monotonic first, so that
  /// an edge is never dated later than now.
  static var suspended: Duration {
    let monotonic = sot_monotonic_ns()
    return .nanoseconds(sot_boottime_ns() - monotonic)
  }

  /// The wall clock as it is, without asking whether it can be trusted.
  static var unjudged: WallTime {
    let milliseconds = sot_realtime_ns() / 1_000_000
    return WallTime(
      milliseconds: milliseconds, utcOffset: Int(sot_utc_offset(milliseconds / 1000)), trusted: false)
  }
}

/// The wall clock, and what is asked anew only now and then: whether the kernel calls it synchronised, after a second
/// or when it was set, and the time zone.
struct WallClockReader {
  private static let interval = Duration.seconds(1)
  private var isTrusted = false
  private var askedAt: BootTime?
  private var utcOffset = 0
  /// Of which minute that is: zones change their offset at full ones.
  private var minute: Int64?

  mutating func read(at now: BootTime) -> WallTime {
    if askedAt.map({ now - $0 >= Self.interval }) ?? true {
      isTrusted = sot_clock_is_synchronised()
      askedAt = now
    }
    let milliseconds = sot_realtime_ns() / 1_000_000
    if minute != milliseconds / 60_000 {
      minute = milliseconds / 60_000
      utcOffset = Int(sot_utc_offset(milliseconds / 1000))
    }
    return WallTime(milliseconds: milliseconds, utcOffset: utcOffset, trusted: isTrusted)
  }

  mutating func doubt() { askedAt = nil }
}
