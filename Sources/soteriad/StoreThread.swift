import CSystem
import DaemonCore
import Glibc

/// What runs on the store's thread. It waits without a time-out while nothing is owed to the disk.
struct StoreThread {
  private static let firstRetry = Duration.seconds(1)
  private static let longestRetry = Duration.seconds(60)

  private let shared: OutboxStore.Shared
  private let files: StoreFiles
  /// Rows not on disk yet; of one row the newest only, so that a dead disk does not fill the memory.
  private var backlog: [StoreWrite] = []
  private var batches: [Int] = []
  private var reported: Set<Int> = []
  private var retry: Duration?
  private var isBroken = false

  init(_ shared: OutboxStore.Shared) {
    self.shared = shared
    files = StoreFiles(stateDirectory: shared.stateDirectory, runtimeDirectory: shared.runtimeDirectory)
  }

  func run() {
    var thread = self
    thread.loop()
  }

  private mutating func loop() {
    let (state, error) = files.load()
    var events: [Event] = [.storeLoaded(state)]
    if let error {
      isBroken = true
      retry = Self.firstRetry
      events.append(.storeDurability(problem: "\(error)"))
    } else if let problem = files.durabilityProblem {
      events.append(.storeDurability(problem: problem))
    }
    shared.tell(events)
    while true {
      waitForWork()
      var isStopping = false
      for job in shared.takeJobs() {
        switch job {
        case .batch(let number, let writes): owe(writes, number)
        case .history(let client, let alertID):
          settle()
          let (alerts, deliveries) = files.history(of: alertID)
          shared.tell([.historyRead(client, alerts: alerts, deliveries: deliveries)])
        case .config(let kept, let text): keep(kept, text)
        case .stop: isStopping = true
        }
      }
      settle()
      if isStopping { return shared.stopped() }
    }
  }

  private func waitForWork() {
    var entry = pollfd(fd: shared.wake, events: Int16(POLLIN), revents: 0)
    let limit = retry.map { Int32(clamping: $0.wholeNanoseconds / 1_000_000) } ?? -1
    _ = poll(&entry, 1, limit)
    sot_counter_drain(shared.wake)
  }

  private mutating func owe(_ writes: [StoreWrite], _ number: Int) {
    batches.append(number)
    for write in writes {
      if !backlog.isEmpty { backlog.removeAll { $0.isSameRow(as: write) } }
      backlog.append(write)
    }
  }

  /// Pays what is owed, in one transaction.
  private mutating func settle() {
    guard !batches.isEmpty || isBroken else { return }
    do throws(DatabaseError) {
      try files.write(backlog)
      var events = batches.map { Event.stored(batch: $0) }
      if isBroken {
        isBroken = false
        events.append(.storeDurability(problem: files.durabilityProblem))
      }
      (backlog, batches, reported, retry) = ([], [], [], nil)
      shared.tell(events)
    } catch {
      retry = retry.map { min($0 * 2, Self.longestRetry) } ?? Self.firstRetry
      let new = batches.filter { !reported.contains($0) }
      reported.formUnion(new)
      shared.tell(new.map { .storeFailed(batch: $0, reason: "\(error)") })
    }
  }

  private func keep(_ kept: KeptConfig, _ text: String) {
    let path = LastGood.path(kept, in: shared.stateDirectory)
    let bytes = Array(text.utf8)
    // The same text again is not written again: cards wear.
    guard SmallFile.read(path, limit: ConfigFile.limit) != bytes else { return }
    if !AtomicFile.write(bytes, to: path) {
      let reason = String(cString: strerror(errno))
      shared.tell([
        .shellFault(
          name: "last good configuration", problem: "cannot keep the configuration in \(path): \(reason)")
      ])
    } else {
      shared.tell([.shellFault(name: "last good configuration", problem: nil)])
    }
  }
}

extension StoreWrite {
  /// Whether both end up in the same place.
  fileprivate func isSameRow(as other: StoreWrite) -> Bool {
    switch (self, other) {
    case (.alert(let left, _, _, _), .alert(let right, _, _, _)): left == right
    case (.delivery(let alert, let contact, let number, _, _), .delivery(let a, let c, let n, _, _)):
      alert == a && contact == c && number == n
    case (.note(let left, _), .note(let right, _)): left == right
    case (.prune, .prune): true
    case (.alert, _), (.delivery, _), (.note, _), (.prune, _): false
    }
  }
}
