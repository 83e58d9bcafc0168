import CSystem
import Glibc

/// Files that are replaced whole: a reader meets the old one or the new one, never half of one.
enum AtomicFile {
  /// Mode 0600. With `durably` it is on disk when this returns true. False: errno says why, and the old file
  /// is as it was.
  static func write(_ bytes: [UInt8], to path: String, durably: Bool = true) -> Bool {
    let next = path + ".new"
    let descriptor = sot_open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    var isWritten = put(bytes, descriptor)
    if durably, isWritten { isWritten = fsync(descriptor) == 0 }
    isWritten = close(descriptor) == 0 && isWritten
    guard isWritten, rename(next, path) == 0 else {
      let code = errno
      unlink(next)
      errno = code
      return false
    }
    return durably ? syncDirectory(of: path) : true
  }

  private static func put(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var written = 0
    return bytes.withUnsafeBytes { buffer in
      while written < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return false }
        written += count
      }
      return true
    }
  }

  /// The name is durable only when the directory is.
  private static func syncDirectory(of path: String) -> Bool {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let directory = end == path.startIndex ? (path.hasPrefix("/") ? "/" : ".") : String(path[..<end])
    let descriptor = sot_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
