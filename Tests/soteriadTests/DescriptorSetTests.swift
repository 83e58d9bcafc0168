import CSystem
import Glibc
import Testing

@testable import soteriad

/// One descriptor stands for many; which of them are ready it says itself.
@Suite struct DescriptorSetTests {
  private static func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test func isReadableWhileAMemberIs() throws {
    let members = (0..<12).map { _ in sot_event_create() }
    defer { for member in members { close(member) } }
    let set = try DescriptorSet([-1] + members)
    defer { close(set.descriptor) }

    #expect(!Self.isReadable(set.descriptor) && set.ready.isEmpty)
    for member in members { sot_event_signal(member) }
    #expect(Self.isReadable(set.descriptor) && Set(set.ready) == Set(members))
    for member in members.dropFirst() { sot_counter_drain(member) }
    #expect(set.ready == [members[0]])
    sot_counter_drain(members[0])
    #expect(!Self.isReadable(set.descriptor) && set.ready.isEmpty)
  }

  @Test func whatCannotBeWatchedIsTold() {
    #expect(throws: SystemError.self) { try DescriptorSet([.max]) }
  }
}
