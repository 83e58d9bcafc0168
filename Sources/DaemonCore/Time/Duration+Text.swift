/// Durations as the configuration and the command line write them: a whole number and a unit.
extension Duration {
  private static let units: [(suffix: String, milliseconds: Int64)] = [
    ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
  ]

  /// `250ms`, `30s`, `10m`, `2h`, `7d`; nil for anything else, for a sign, and beyond a century.
  package init?(text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let suffix = text.dropFirst(digits.count)
    guard let number = Int64(digits), let unit = Self.units.first(where: { $0.suffix == suffix }) else {
      return nil
    }
    let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
    guard !overflow, milliseconds <= 100 * 366 * 86_400_000 else { return nil }
    self = .milliseconds(milliseconds)
  }

  /// In milliseconds with one decimal, for spans that people see.
  package var inMilliseconds: String { JSON.fixed(inSeconds * 1000, decimals: 1) }

  /// The shortest way to write it exactly, to the millisecond.
  package var text: String {
    let milliseconds = wholeNanoseconds / 1_000_000
    for unit in Self.units.reversed() where milliseconds % unit.milliseconds == 0 && milliseconds != 0 {
      return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
    return "0s"
  }
}
