/// One line for the journal: fixed text first, details as key=value, never a token or position above debug.
package struct LogLine: Hashable, Sendable {
  /// Source: syslog(3).
  package enum Level: Int, Hashable, Comparable, Sendable {
    case emergency = 0
    case alert, critical, error, warning, notice, info, debug

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }
  package var level: Level
  package var text: String

  package init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
