import CSystem
import Glibc

/// Whole files, with a bound.
enum SmallFile {
  /// nil when it cannot be read; errno says why. Longer than `limit`: EFBIG. Never blocks on a pipe.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = sot_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
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
