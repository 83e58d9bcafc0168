import DaemonCore
import Glibc

/// Where the daemon keeps things. Source: systemd.exec(5), StateDirectory= and RuntimeDirectory=.
struct Directories {
  var state: String
  var runtime: String
  /// The same for all of one boot, whoever tells it. Source: %b of systemd.unit(5), in the unit; elsewhere
  /// /proc/sys/kernel/random/boot_id, which the unit's sandbox hides.
  let bootID: String

  /// `variable` looks up a variable of the environment.
  init(state: String, runtime: String, variable: (String) -> String? = environment) {
    self.state = state
    self.runtime = runtime
    let kernels = SmallFile.read("/proc/sys/kernel/random/boot_id", limit: 64) ?? []
    let told = variable("SOTERIAD_BOOT_ID") ?? String(decoding: kernels, as: UTF8.self)
    // The kernel writes it with hyphens, the service manager without.
    bootID = told.filter(\.isHexDigit)
  }

  var controlSocket: String { "\(runtime)/control.sock" }
  var releasedMark: String { "\(runtime)/button-released" }
  var keptEdges: String { "\(runtime)/button-edges" }
}
