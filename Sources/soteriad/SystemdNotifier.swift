import CSystem
import DaemonCore
import Glibc

/// Messages to the service manager. Best effort: without one, or when it is gone, nothing happens.
/// Source: sd_notify(3).
struct SystemdNotifier {
  /// The manager's socket as C takes it, so that it need not be made anew for each message; nil without a manager.
  private let address: [CChar]?
  /// Lives as long as the process; -1 without a manager.
  private let socket: Int32
  /// Half of what the manager allows; nil without a watchdog. Source: sd_watchdog_enabled(3).
  let pingInterval: Duration?

  /// `variable` looks up a variable of the environment.
  init(variable: (String) -> String? = environment) {
    address = variable("NOTIFY_SOCKET").map { Array($0.utf8CString) }
    socket = address == nil ? -1 : sot_notify_socket()
    let isOurs = variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let limit = variable("WATCHDOG_USEC").flatMap { Int64($0) }.flatMap { $0 > 1 ? $0 : nil }
    pingInterval = isOurs ? limit.map { .microseconds($0 / 2) } : nil
  }

  func send(_ notification: Notification) {
    switch notification {
    case .ready(let status): send("READY=1\nSTATUS=\(status)")
    case .status(let status): send("STATUS=\(status)")
    case .reloading: send("RELOADING=1\nMONOTONIC_USEC=\(sot_monotonic_ns() / 1000)")
    case .stopping: send("STOPPING=1")
    case .watchdog: send("WATCHDOG=1")
    }
  }

  /// Has the manager keep a copy of the descriptor over restarts. Source: systemd.service(5), fd store.
  func keep(_ descriptor: Int32, named name: String) {
    send("FDSTORE=1\nFDNAME=\(name)", passing: descriptor)
  }

  func forget(named name: String) {
    send("FDSTOREREMOVE=1\nFDNAME=\(name)")
  }

  private func send(_ text: Words, passing descriptor: Int32 = -1) {
    guard let address else { return }
    // Safe: both live until the call returns, which copies the text into the datagram.
    _ = sot_notify(socket, address, text.bytes, text.bytes.count, descriptor)
  }

  /// The descriptors that the manager kept, by name; the variables are removed, so that no child takes them. Called
  /// before anything is opened, which else would pass for one that was promised and is not there.
  /// Source: sd_listen_fds(3).
  static func takeStored() -> [(name: String, descriptor: Int32)] {
    defer { for name in ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"] { unsetenv(name) } }
    guard environment("LISTEN_PID") == "\(getpid())",
      let count = environment("LISTEN_FDS").flatMap({ Int32($0) }), (1...64).contains(count)
    else { return [] }
    let names = environment("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false) ?? []
    return (0..<count).compactMap { index in
      guard sot_set_cloexec(3 + index) == 0 else { return nil }
      return (Int(index) < names.count ? String(names[Int(index)]) : "unknown", 3 + index)
    }
  }
}
