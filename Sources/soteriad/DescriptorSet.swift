import CSystem

/// Descriptors of which hardly any is ever ready, behind one: a loop that waits for all of them looks at each, every
/// time. Source: epoll(7).
final class DescriptorSet {
  /// Readable when one of them is.
  let descriptor: Int32

  /// -1 stands for one that is not there.
  init(_ descriptors: [Int32]) throws(SystemError) {
    descriptor = try checked(sot_set_create(), "cannot watch descriptors")
    for member in descriptors where member >= 0 && !sot_set_add(descriptor, member) {
      throw SystemError("cannot watch a descriptor")
    }
  }

  /// Those that are ready.
  var ready: [Int32] {
    [Int32](unsafeUninitializedCapacity: Int(SOT_SET_LIMIT)) { members, count in
      count = Int(sot_set_ready(descriptor, members.baseAddress))
    }
  }
}
