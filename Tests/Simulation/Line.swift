import DaemonCore

/// The button's line: what the contact does, the chip that may go, and the kernel's queue of edges.
struct Line {
  var isChipPresent = true
  private(set) var level = false
  private(set) var levelSince: Int64 = 0
  /// Its descriptor is open, in the daemon or in the service manager's store.
  private(set) var isOpen = false
  private var queue: [Edge] = []

  var isWatched: Bool { isOpen && isChipPresent }
  var hasEdges: Bool { isOpen && !queue.isEmpty }

  /// The contact is at a level from `now`, which is `boot` by the daemon's clock. Returns whether the kernel had to
  /// drop an edge: it keeps sixteen and numbers them, so that the first after those it dropped is known.
  mutating func set(_ pressed: Bool, at now: Int64, _ boot: BootTime) -> Bool {
    guard pressed != level else { return false }
    (level, levelSince) = (pressed, now)
    guard isWatched else { return false }
    queue.append(Edge(pressed: pressed, at: boot))
    guard queue.count > 16 else { return false }
    queue.removeFirst()
    queue[0].isAfterLoss = true
    return true
  }

  mutating func drain() -> [Edge] {
    defer { queue = [] }
    return queue
  }

  /// Returns what the daemon hears of it at once. One that is open already tells what it did meanwhile.
  mutating func open(lastSeenReleased: BootTime?, begun: [Edge]) -> [Event] {
    guard isChipPresent else {
      close()
      return [.buttonFailed(.chipMissing(wanted: "gpiochip0", present: []))]
    }
    let link = ButtonLink(
      description: "line 17", pressed: level, adopted: isOpen, lastSeenReleased: lastSeenReleased)
    let edges = (isOpen ? begun : []) + drain()
    isOpen = true
    return [.buttonOpened(link)] + (edges.isEmpty ? [] : [.edges(edges, level: level, lost: false)])
  }

  mutating func close() { (isOpen, queue) = (false, []) }
}
