import DaemonCore
import Glibc

/// Where the daemon keeps things. Source: systemd.exec(5), StateDirectory= and RuntimeDirectory=.
struct Directories {
  var state: String
  var runtime: String
  /// Source: /proc/sys/kernel/random/boot_id.
  let bootID: String

  init(state: String, runtime: String) {
    self.state = state
    self.runtime = runtime
    let text = SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64) ?? []
    bootID = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
  }

  var controlSocket: String { "\(runtime)/control.sock" }
  var releasedMark: String { "\(runtime)/button-released" }
}
