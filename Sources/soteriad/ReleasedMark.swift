import DaemonCore
import Glibc

/// The note in the runtime directory that the button was seen released, for the next run of this boot.
enum ReleasedMark {
  static func write(_ instant: BootTime, in directories: Directories) {
    let text = "\(directories.bootID) \(instant.nanoseconds)\n"
    // Best effort, and of this boot only: without it a held button at the next start is no press.
    _ = AtomicFile.write(Array(text.utf8), to: directories.releasedMark, durably: false)
  }

  static func remove(from directories: Directories) {
    unlink(directories.releasedMark)
  }

  /// nil when there is no note or it is of another boot.
  static func read(from directories: Directories) -> BootTime? {
    guard let bytes = SmallFile.read(directories.releasedMark, limit: 256) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard parts.count == 2, parts[0] == directories.bootID, let nanoseconds = Int64(parts[1]) else {
      return nil
    }
    return BootTime(nanoseconds: nanoseconds)
  }
}
