import CSystem
import DaemonCore
import Glibc

/// The note in the runtime directory that the button was seen released, for the next run of this boot.
enum ReleasedMark {
  static func write(_ instant: BootTime, in directories: Directories) {
    let next = directories.releasedMark + ".new"
    let descriptor = sot_open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let text = "\(directories.bootID) \(instant.nanoseconds)\n"
    let written = Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
    if written == text.utf8.count { rename(next, directories.releasedMark) }
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
