import CSystem
import Glibc

/// The directory that outlives a power cut, and why it may not do so.
enum StateDirectory {
  /// Why nothing can be kept there, naming path and owner; nil when all is well. A missing one is made.
  static func problem(_ path: String) -> String? {
    var info = stat()
    if stat(path, &info) != 0 {
      guard errno == ENOENT, mkdir(path, 0o700) == 0, stat(path, &info) == 0 else {
        return SystemError("there is no state directory \(path) and it cannot be made").description
      }
    }
    guard info.st_mode & S_IFMT == S_IFDIR else { return "state directory \(path): not a directory" }
    guard faccessat(AT_FDCWD, path, R_OK | W_OK | X_OK, AT_EACCESS) == 0 else {
      if errno == EACCES { return "state directory \(path) \(refusal(path, info))" }
      return SystemError("state directory \(path) cannot be written").description
    }
    return nil
  }

  /// `belongs to root (mode 0755), not to soteria: chown soteria PATH`.
  static func refusal(_ path: String, _ info: stat) -> String {
    let user = name(of: geteuid())
    return "belongs to \(name(of: info.st_uid)) (mode \(octal(info.st_mode))) and \(user) may not use it: "
      + "chown -R \(user) \(path)"
  }

  /// `0644`.
  static func octal(_ mode: mode_t) -> String {
    let digits = String(mode & 0o7777, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func name(of user: uid_t) -> String {
    // Safe: the entry is static storage of libc, copied at once; only the store's thread and the command
    // line's client come here, never both in one process.
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "user \(user)" }
    return String(cString: name)
  }
}
