import CSystem
import Glibc
import Testing

@Suite struct ServiceUserTests {
  /// Source: passwd(5).
  @Test func theSystemsUsersAreFoundByTheirWholeName() {
    var (user, group) = (uid_t.max, gid_t.max)

    #expect(!sot_system_user("roo", &user, &group) && !sot_system_user("no-such-user", &user, &group))
    #expect(user == uid_t.max && group == gid_t.max)
    #expect(sot_system_user("root", &user, &group) && user == 0 && group == 0)
  }
}
