import CSystem
import DaemonCore
import Glibc

/// Whole files, with a bound.
enum SmallFile {
  /// nil when it cannot be read; errno says why. Longer than `limit`: EFBIG. A pipe that has a writer is waited for,
  /// but never longer than `patience` at a time.
  static func read(_ path: String, limit: Int, patience: Duration = .zero) -> [UInt8]? {
    let descriptor = sot_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&entry, 1, Int32(clamping: patience.wholeNanoseconds / 1_000_000)) > 0 { continue }
        errno = EAGAIN
      }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
      guard bytes.count <= limit else {
        errno = EFBIG
        return nil
      }
    }
  }
}
