import DaemonCore
import Glibc

/// Lines on stdout, for the journal or a terminal, written without ever blocking, and only when asked to: a message is
/// worth more than the line about it.
struct Log {
  private let descriptor: Int32
  private let isJournal: Bool
  private let threshold: LogLine.Level
  /// Lines that did not fit into a full pipe; told with the next one that does.
  private var dropped = 0
  /// What is to be written next, and how many lines it is.
  private var bytes: [UInt8] = []
  private var lines = 0
  /// A pipe takes that much whole or not at all. Source: Linux, pipe(7), PIPE_BUF.
  private static let chunk = 4096

  /// `SOTERIAD_LOG_LEVEL` is a syslog number or `debug`; the default leaves debug lines out.
  init(descriptor: Int32 = 1) {
    self.descriptor = descriptor
    isJournal = Log.isJournal(descriptor)
    switch environment("SOTERIAD_LOG_LEVEL") {
    case "debug": threshold = .debug
    case let text?: threshold = Int(text).flatMap(LogLine.Level.init(rawValue:)) ?? .info
    case nil: threshold = .info
    }
    // A reader that stops reading (a full pipe) must not stop the daemon. A terminal's flags are shared with
    // the shell that started us, so they are left alone.
    if isatty(descriptor) == 0 { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
  }

  mutating func write(_ line: LogLine) {
    guard line.level <= threshold else { return }
    let prefix = prefix(line.level)
    if bytes.count + prefix.utf8.count + line.text.utf8.count + 1 > Self.chunk { flush() }
    bytes.append(text: prefix)
    let start = bytes.count
    bytes.append(text: line.text)
    // No line breaks or other control characters: a name from a file or a server cannot forge lines.
    for index in start..<bytes.count where bytes[index] < 0x20 || bytes[index] == 0x7F {
      bytes[index] = UInt8(ascii: " ")
    }
    bytes.append(UInt8(ascii: "\n"))
    lines += 1
  }

  /// Writes the lines since the last call.
  mutating func flush() {
    guard lines > 0 else { return }
    if dropped > 0 {
      let line = "\(prefix(.warning))log: \(dropped) lines were dropped, the reader was too slow\n"
      if put(Array(line.utf8)) { dropped = 0 }
    }
    if !put(bytes) { dropped += lines }
    bytes.removeAll(keepingCapacity: true)
    lines = 0
  }

  private func put(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var count: Int
      repeat {
        count = Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      return count == buffer.count
    }
  }

  /// A level for the journal; a clock time for people.
  private func prefix(_ level: LogLine.Level) -> String {
    isJournal ? level.mark : "\(Clocks.unjudged.local.timeText) "
  }

  /// Whether it is the stream that systemd made for the journal. Source: systemd.exec(5), $JOURNAL_STREAM.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    var info = stat()
    guard let stream = environment("JOURNAL_STREAM"), fstat(descriptor, &info) == 0 else { return false }
    return stream == "\(info.st_dev):\(info.st_ino)"
  }
}

/// A variable of the environment; nil where it is not set or empty.
func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}

extension LogLine.Level {
  /// What tells it at the beginning of a line. Source: sd-daemon(3).
  fileprivate var mark: String {
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
}
