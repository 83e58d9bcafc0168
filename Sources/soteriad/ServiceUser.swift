import CSystem
import Glibc

/// The user that the service runs as, seen by root: what root can read may be closed to it.
struct ServiceUser {
  static let name = "soteria"

  let user: uid_t
  let group: gid_t

  init(user: uid_t, group: gid_t) {
    (self.user, self.group) = (user, group)
  }

  /// nil where there is none, or where we are not root and so see no more than it does.
  init?() {
    guard geteuid() == 0, let entry = getpwnam(Self.name) else { return nil }
    self.init(user: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
  }

  func canRead(_ path: String) -> Bool { sot_can_read_as(user, group, path) }
}
