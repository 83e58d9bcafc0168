import CSystem

/// Notices what comes up in the network: links, addresses, routes. Source: rtnetlink(7).
///
/// The kernel repeats itself: for each scan of a radio, each renewed lease, each advertisement of a router. What is
/// known already is no reason to try again what waits for its time.
struct NetworkWatch {
  let descriptor: Int32
  /// What is there, with the number of its link.
  private var known: [UInt64: Int32] = [:]

  /// More than this was never true at one time.
  private static let limit = 1024

  /// nil where the kernel or the sandbox gives none: retries then go by time alone.
  init?() {
    descriptor = sot_network_watch()
    if descriptor < 0 { return nil }
  }

  /// Whether something came up since the last call.
  mutating func drain() -> Bool {
    var changes = [sot_network_change](repeating: sot_network_change(), count: 64)
    var cameUp = false
    // A bound, so that a storm of messages is read between other things.
    for _ in 0..<64 {
      let count = sot_network_changes(descriptor, &changes, Int32(changes.count))
      if count == 0 { break }
      if count < 0 || known.count > Self.limit { known = [:] }
      cameUp = cameUp || count < 0
      for change in changes.prefix(max(0, Int(count))) where apply(change) { cameUp = true }
    }
    return cameUp
  }

  /// Returns whether it is news that something is there.
  private mutating func apply(_ change: sot_network_change) -> Bool {
    if change.is_present { return known.updateValue(change.link, forKey: change.key) == nil }
    known[change.key] = nil
    // The kernel drops a link's routes without a word.
    if change.is_link { known = known.filter { $0.value != change.link } }
    return false
  }
}
