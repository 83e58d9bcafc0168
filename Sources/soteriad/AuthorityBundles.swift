import Glibc

/// Files that hold the system's certificate authorities and one of the owner's together.
///
/// As a file, because libcurl reads a file once and keeps what it read; a text in memory it parses anew for every
/// connection.
struct AuthorityBundles {
  private static let system = "/etc/ssl/certs/ca-certificates.crt"

  let directory: String
  /// By the owner's file; with its age, so that a file that was replaced is read again.
  private var made: [String: (modified: timespec, path: String)] = [:]

  init(directory: String) {
    self.directory = directory
  }

  /// nil when `caFile` cannot be read or there is no room for the bundle.
  mutating func path(with caFile: String) -> String? {
    var info = stat()
    guard stat(caFile, &info) == 0 else { return nil }
    let modified = info.st_mtim
    if let known = made[caFile], known.modified.tv_sec == modified.tv_sec,
      known.modified.tv_nsec == modified.tv_nsec
    {
      return known.path
    }
    guard let own = SmallFile.read(caFile, limit: 1 << 20) else { return nil }
    let system = SmallFile.read(Self.system, limit: 4 << 20) ?? []
    let path = "\(directory)/authorities-\(made.count + 1)-\(modified.tv_sec).pem"
    guard AtomicFile.write(system + [0x0A] + own, to: path, durably: false) else { return nil }
    if let old = made[caFile]?.path { unlink(old) }
    made[caFile] = (modified, path)
    return path
  }
}
