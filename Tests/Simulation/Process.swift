import DaemonCore

/// The daemon as the service manager sees it: its starts, when it wants to be woken, and the end that is planned for it.
struct Process {
  private(set) var isRunning = false
  /// Counts the starts: what an earlier one waited for goes nowhere.
  private(set) var runs = 0
  /// When its timer rings; nil: never.
  var deadline: Int64?
  /// Whether it leaves the line unread for a while.
  var isResting = false
  private var fuse: Fuse?

  struct Fuse {
    /// How many actions are left until then.
    var left: Int
    var isPowerCut: Bool
    /// After how many milliseconds it is back.
    var back: Int
  }

  func isAlive(_ run: Int) -> Bool { isRunning && run == runs }

  mutating func start(at instant: Int64) {
    runs += 1
    isRunning = true
    deadline = instant
  }

  mutating func end() {
    isRunning = false
    deadline = nil
    isResting = false
  }

  mutating func plan(_ end: Fuse) { fuse = end }

  /// No end is planned any more.
  mutating func spare() { fuse = nil }

  mutating func takeFuse() -> Fuse? {
    defer { fuse = nil }
    return fuse
  }

  /// Cuts off what its end leaves undone, whatever the daemon had in mind. Returns whether it ends with these.
  mutating func burn(_ actions: inout [Action]) -> Bool {
    guard let left = fuse?.left else { return false }
    let isLast = left < actions.count
    if isLast { actions = Array(actions.prefix(left)) }
    fuse?.left -= actions.count
    return isLast
  }
}
