/// An instant within one boot: nanoseconds of CLOCK_BOOTTIME, which counts through suspend.
///
/// Zero is the boot. Values of different boots must never be compared; what has to outlive a boot is kept
/// as spent time (a `Duration`). Source: clock_gettime(2).
package struct BootTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The boot itself.
  package static let zero = BootTime(nanoseconds: 0)

  /// False for what was read back from an earlier boot, which stands before this one by the time spent.
  package var isOfThisBoot: Bool { self > .zero }

  package static func < (left: BootTime, right: BootTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates instead of trapping: no deadline is ever computed beyond what the type holds.
  package static func + (instant: BootTime, span: Duration) -> BootTime {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.wholeNanoseconds)
    return BootTime(nanoseconds: overflow ? (span < .zero ? .min : .max) : sum)
  }

  package static func - (instant: BootTime, span: Duration) -> BootTime {
    instant + (.zero - span)
  }

  /// How long after `right` this instant is; negative when it is before.
  package static func - (left: BootTime, right: BootTime) -> Duration {
    let (difference, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return Duration(wholeNanoseconds: overflow ? (left > right ? .max : .min) : difference)
  }
}

extension Duration {
  /// One multiplication, where `nanoseconds(_:)` looks for an overflow that 64 bits cannot reach.
  @inline(__always)
  init(wholeNanoseconds: Int64) {
    // Not by `attoseconds`, which Swift 6.0 has not yet.
    let product = wholeNanoseconds.multipliedFullWidth(by: 1_000_000_000)
    self.init(_high: product.high, low: product.low)
  }

  /// The span in nanoseconds, clamped to what 64 bits hold (292 years). One division, where `components` takes two.
  package var wholeNanoseconds: Int64 {
    let attoseconds = Int128(_high) << 64 | Int128(_low)
    return Int64(clamping: attoseconds / 1_000_000_000)
  }

  /// The span in whole seconds, cut towards zero.
  package var wholeSeconds: Int64 { components.seconds }

  /// The span in seconds as a number, for JSON.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
