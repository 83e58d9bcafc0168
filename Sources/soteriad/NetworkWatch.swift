import CSystem

/// Notices links and addresses that come up. Source: rtnetlink(7).
struct NetworkWatch {
  let descriptor: Int32

  /// nil where the kernel or the sandbox gives none: retries then go by time alone.
  init?() {
    descriptor = sot_network_watch()
    if descriptor < 0 { return nil }
  }

  func drain() -> Bool { sot_network_came_up(descriptor) }
}
