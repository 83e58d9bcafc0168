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
    let nanoseconds = sot_realtime_ns()
    return WallTime(
      milliseconds: nanoseconds / 1_000_000, utcOffset: Int(sot_utc_offset(nanoseconds / 1_000_000_000)),
      trusted: false)
  }
}

/// The wall clock, and whether the kernel calls it synchronised: asked anew after a second, or when it was set.
struct WallClockReader {
  private static let interval = Duration.seconds(1)
  private var isTrusted = false
  private var askedAt: BootTime?

  mutating func read(at now: BootTime) -> WallTime {
    if askedAt.map({ now - $0 >= Self.interval }) ?? true {
      isTrusted = sot_clock_is_synchronised()
      askedAt = now
    }
    var time = Clocks.unjudged
    time.trusted = isTrusted
    return time
  }

  mutating func doubt() { askedAt = nil }
}
