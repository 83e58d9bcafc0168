/// A moment by the calendar, for people and JSON only: nothing is decided by it.
package struct WallTime: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z. Source: CLOCK_REALTIME.
  package var milliseconds: Int64
  /// Seconds east of UTC of the device's time zone at that moment. Source: localtime_r(3) `tm_gmtoff`.
  package var utcOffset: Int
  /// Whether the clock was known to be set (adjtimex(2) without STA_UNSYNC).
  package var trusted: Bool

  package init(milliseconds: Int64, utcOffset: Int, trusted: Bool) {
    self.milliseconds = milliseconds
    self.utcOffset = utcOffset
    self.trusted = trusted
  }

  /// The moment `span` later by the same clock.
  package func advanced(by span: Duration) -> WallTime {
    var later = self
    let (sum, overflow) = milliseconds.addingReportingOverflow(span.wholeNanoseconds / 1_000_000)
    later.milliseconds = overflow ? milliseconds : sum
    return later
  }

  /// `2026-11-30T02:14:07Z`. Source: RFC 3339.
  package var utcText: String {
    @inline(never) get { CalendarParts(milliseconds: milliseconds, utcOffset: 0).text }
  }

  /// The local calendar date and time of day.
  package var local: CalendarParts {
    CalendarParts(milliseconds: milliseconds, utcOffset: utcOffset)
  }
}

/// A moment split into calendar fields in the proleptic Gregorian calendar.
package struct CalendarParts: Hashable, Sendable {
  package let year, month, day, hour, minute, second: Int
  /// Seconds east of UTC.
  package let utcOffset: Int

  package init(milliseconds: Int64, utcOffset: Int) {
    // Years beyond four digits would break every reader of RFC 3339, so the range is kept to 1–9999.
    let whole = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    let east = Int64(min(max(utcOffset, -86_400), 86_400))
    let seconds = min(max(whole + east, -62_135_596_800), 253_402_300_799)
    let days = seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
    let rest = Int(seconds - days * 86_400)
    // Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3600
    minute = rest % 3600 / 60
    second = rest % 60
    self.utcOffset = utcOffset
  }

  /// `02:14:07`.
  package var timeText: String { String(text.dropFirst(11).dropLast()) }

  /// `2026-11-30T02:14:07Z`, whatever the zone. Every press needs some, so each digit is written where it stands.
  fileprivate var text: String {
    String(unsafeUninitializedCapacity: 20) { bytes in
      // Safe: that is how many bytes this has, and no number has more digits than there are zeros for it.
      _ = bytes.initialize(from: "0000-00-00T00:00:00Z".utf8)
      @inline(never) func put(_ number: Int, before end: Int) {
        var (rest, place) = (number, end)
        while rest > 0 {
          place -= 1
          bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
      }
      put(year, before: 4)
      put(month, before: 7)
      put(day, before: 10)
      put(hour, before: 13)
      put(minute, before: 16)
      put(second, before: 19)
      return 20
    }
  }
}

extension Words {
  /// `09:14`.
  mutating func appendInterpolation(clock moment: CalendarParts) {
    append(moment.hour, width: 2)
    appendLiteral(":")
    append(moment.minute, width: 2)
  }

  /// `UTC`, `UTC+7`, `UTC-3:30`.
  mutating func appendInterpolation(zone moment: CalendarParts) {
    appendLiteral("UTC")
    let minutes = moment.utcOffset / 60
    guard minutes != 0 else { return }
    appendLiteral(minutes < 0 ? "-" : "+")
    let (hours, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
    append(hours)
    guard rest != 0 else { return }
    appendLiteral(":")
    append(rest, width: 2)
  }
}

/// `number` in decimal with leading zeros up to `width` digits.
package func padded(_ number: Int, to width: Int) -> String {
  String("\(number, width: width)" as Words)
}
