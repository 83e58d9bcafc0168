import DaemonCore
import Glibc

/// Puts last good configurations on disk. Source: DESIGN, configuration.
struct ConfigKeeper {
  let stateDirectory: String
  private var hasFailed = false

  init(stateDirectory: String) {
    self.stateDirectory = stateDirectory
  }

  mutating func keep(_ kept: KeptConfig, text: String) -> [Event] {
    let path = LastGood.path(kept, in: stateDirectory)
    let bytes = Array(text.utf8)
    // The same text again is not written again: cards wear.
    if SmallFile.read(path, limit: ConfigFile.limit) == bytes || AtomicFile.write(bytes, to: path) {
      defer { hasFailed = false }
      return hasFailed ? [.shellFault(name: "last good configuration", problem: nil)] : []
    }
    hasFailed = true
    let reason = SystemError("cannot keep the configuration in \(path)").description
    return [.shellFault(name: "last good configuration", problem: reason)]
  }
}
