/// One line for the journal: fixed text first, details as key=value, never a token or position above debug.
package struct LogLine: Hashable, Sendable {
  /// Source: syslog(3).
  package enum Level: Int, Hashable, Comparable, Sendable {
    case emergency = 0
    case alert, critical, error, warning, notice, info, debug

    /// What tells it at the beginning of a line. Source: sd-daemon(3).
    package var mark: String {
      switch self {
      case .emergency: "<0>"
      case .alert: "<1>"
      case .critical: "<2>"
      case .error: "<3>"
      case .warning: "<4>"
      case .notice: "<5>"
      case .info: "<6>"
      case .debug: "<7>"
      }
    }

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }
  package var level: Level
  package var text: String

  package init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
