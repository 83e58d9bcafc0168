import DaemonCore

/// The machine that the daemon runs on: its power, its boots and its clocks. Without a battery the clock is lost with
/// the power.
struct Machine {
  /// From the boot to the start of the service.
  static let firmware = s(12)
  /// What the wall clock says at the beginning, in milliseconds since 1970.
  private static let beginning: Int64 = 1_796_000_000_000

  private(set) var isPowered = false
  private(set) var boots = 0
  private(set) var bootedAt: Int64 = 0
  private(set) var isClockTrusted = true
  /// Added to the time of the world, in milliseconds.
  private var wallOffset = Machine.beginning

  var bootID: String { "boot-\(boots)" }

  func boot(_ instant: Int64) -> BootTime { BootTime(nanoseconds: instant - bootedAt) }
  func instant(of boot: BootTime) -> Int64 { boot.nanoseconds + bootedAt }

  func wall(at now: Int64) -> WallTime {
    WallTime(milliseconds: now / 1_000_000 + wallOffset, utcOffset: 25_200, trusted: isClockTrusted)
  }

  mutating func powerOn(at now: Int64) {
    isPowered = true
    boots += 1
    bootedAt = now - Self.firmware
    guard boots > 1 else { return }
    isClockTrusted = false
    wallOffset = -now / 1_000_000
  }

  mutating func powerOff() { isPowered = false }

  /// Set by hand, which makes the kernel forget that it was in step with anything.
  mutating func stepClock(by seconds: Int) {
    wallOffset += Int64(seconds) * 1000
    isClockTrusted = false
  }

  /// A time server answered.
  mutating func setClock() {
    wallOffset = Self.beginning
    isClockTrusted = true
  }
}
