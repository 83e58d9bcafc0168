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
    var (user, group) = (uid_t.max, gid_t.max)
    guard geteuid() == 0, sot_system_user(Self.name, &user, &group) else { return nil }
    self.init(user: user, group: group)
  }

  func canRead(_ path: String) -> Bool { sot_can_read_as(user, group, path) }
}
