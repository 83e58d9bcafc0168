import CSystem
import DaemonCore
import Glibc

/// Asks the running daemon and prints what it says.
struct ControlClient {
  let directories: Directories
  let command: Command
  let json: Bool

  /// Beyond what the command itself takes, the daemon answers at once or not at all.
  private static let patience = Duration.seconds(10)

  /// Returns the exit status.
  func run() -> Int32 {
    let path = directories.controlSocket
    let descriptor = sot_unix_connect(path)
    guard descriptor >= 0 else { return unreachable(path, errno) }
    defer { close(descriptor) }
    let request = ControlRequest.encode(command) + "\n"
    guard send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
      return fail("control socket \(path): \(SystemError.words(errno))")
    }
    var reader = LineReader(descriptor: descriptor, deadline: Clocks.now + patience)
    var status: Int32?
    while let line = reader.next() {
      guard let answer = ControlAnswer(line: line) else { return fail("the daemon's answer makes no sense") }
      if let error = answer.error { return fail(error) }
      let code = answer.exit.map { Int32(clamping: $0) }
      let value = json ? answer.json : nil
      if let value { put(value.pretty) }
      if let text = answer.text {
        // Scripts take the result from stdout; why it failed is for people.
        if let code, code != 0 { _ = fail(text) } else if value == nil { put(text) }
      }
      status = code ?? (isLong ? nil : 0)
    }
    guard let status else {
      return fail(reader.isLate ? "the daemon does not answer" : "the daemon ended before it was done")
    }
    return status
  }

  /// Whether the last line of the answer says how it went: without that nothing is known.
  private var isLong: Bool {
    switch command {
    case .press(_, let wait): wait != nil
    case .testButton: true
    case .status, .cancel, .alerts: false
    }
  }

  private var patience: Duration {
    switch command {
    case .press(_, let wait): Self.patience + (wait ?? .zero)
    case .testButton(let span): Self.patience + span
    case .status, .cancel, .alerts: Self.patience
    }
  }

  private func unreachable(_ path: String, _ code: Int32) -> Int32 {
    switch code {
    case ENOENT, ECONNREFUSED:
      if case .alerts(let id) = command { return storedAlerts(id) }
      return fail("the daemon does not run (no one serves \(path)); see 'systemctl status soteriad'")
    case EAGAIN:
      return fail("the daemon does not answer")
    case EACCES, EPERM:
      return fail("no access to \(path): only root and members of the group soteria may use it")
    default:
      return fail("control socket \(path): \(SystemError.words(code))")
    }
  }

  /// Without a daemon the store itself tells.
  private func storedAlerts(_ id: String?) -> Int32 {
    do throws(StoreError) {
      let rows = try StoreHistory(stateDirectory: directories.state, alertID: id)
      let history = History(alerts: rows.alerts, deliveries: rows.deliveries)
      let complaint = history.complaint(about: id)
      if json { put(history.json.pretty) } else if complaint == nil { put(history.text) }
      return complaint.map(fail) ?? 0
    } catch {
      return fail("the daemon does not run, and \(error)")
    }
  }
}

/// Lines from a descriptor, until its end or a deadline.
private struct LineReader {
  let descriptor: Int32
  let deadline: BootTime
  private(set) var isLate = false
  private var buffer: [UInt8] = []

  init(descriptor: Int32, deadline: BootTime) {
    self.descriptor = descriptor
    self.deadline = deadline
  }

  mutating func next() -> [UInt8]? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return Array(buffer[..<end])
      }
      let left = deadline - Clocks.now
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > .zero else {
        isLate = true
        return nil
      }
      guard poll(&entry, 1, Int32(clamping: left.wholeNanoseconds / 1_000_000 + 1)) > 0 else { continue }
      var chunk = [UInt8](repeating: 0, count: 16_384)
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer += chunk.prefix(count)
    }
  }
}
