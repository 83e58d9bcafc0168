import CSystem
import Glibc

/// The files that make up one SQLite database, as files.
enum StoreFiles {
  /// The outbox, within the state directory.
  static let name = "outbox.db"
  /// Larger ones are not copied to a directory that lives in memory.
  private static let copyLimit = 64 << 20

  static func names(_ path: String) -> [String] { [path, "\(path)-wal", "\(path)-shm"] }

  static func remove(_ path: String) {
    for name in names(path) + ["\(path)-journal"] { unlink(name) }
  }

  static func size(_ path: String) -> Int64 {
    var info = stat()
    return stat(path, &info) == 0 ? Int64(info.st_size) : 0
  }

  /// Whether the disk that holds `path` takes that many more bytes; false where it cannot be asked.
  static func hasRoom(_ bytes: Int, besides path: String) -> Bool {
    var info = statvfs()
    return statvfs(path, &info) == 0 && UInt64(info.f_bavail) * UInt64(info.f_frsize) >= UInt64(bytes)
  }

  static func exists(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 || errno != ENOENT
  }

  /// Renames the database so that nothing of it is lost. Returns its new path.
  static func setAside(_ path: String) throws(StoreError) -> String {
    var number = 1
    while names("\(path).damaged-\(number)").contains(where: exists) { number += 1 }
    let aside = "\(path).damaged-\(number)"
    // The log goes first: without its file it would be taken for nothing, the file without its log for all.
    for (old, new) in zip(names(path), names(aside)).reversed() {
      guard rename(old, new) == 0 || errno == ENOENT else {
        throw StoreError(SystemError("cannot set \(old) aside"))
      }
    }
    syncDirectory(of: path)
    return aside
  }

  /// Copies the file and its log, which belong together.
  static func copy(_ path: String, to other: String) throws(StoreError) {
    remove(other)
    for (source, target) in zip(names(path), names(other)).prefix(2) where source == path || exists(source) {
      guard let bytes = SmallFile.read(source, limit: copyLimit) else {
        throw StoreError(SystemError("cannot read \(source)"))
      }
      guard AtomicFile.write(bytes, to: target, durably: false) else {
        let error = SystemError("cannot copy \(source) to \(target)")
        remove(other)
        throw StoreError(error)
      }
    }
  }

  /// Makes renames and new names in it last through a power cut. Best effort: some file systems cannot.
  static func syncDirectory(of path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    let descriptor = sot_open(directory.isEmpty ? "/" : directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
