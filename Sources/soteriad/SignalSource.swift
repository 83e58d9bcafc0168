import CSystem
import Glibc

/// The signals that mean something, as a descriptor. SIGPIPE is ignored.
struct SignalSource {
  enum Request { case reload, stop }

  let descriptor: Int32

  /// Blocks the signals for this thread and all that it starts later: call it before any.
  init() throws(SystemError) {
    descriptor = try checked(sot_signals_create(), "cannot watch for signals")
  }

  func drain() -> [Request] {
    var requests: [Request] = []
    while true {
      let number = sot_signals_next(descriptor)
      if number == 0 { return requests }
      requests.append(number == SIGHUP ? .reload : .stop)
    }
  }
}
