import CSQLite
import CSystem
import DaemonCore
import Glibc

/// The store's thread and its two queues: jobs in, events out. Every call returns at once, however long the
/// disk takes.
///
/// The thread waits without a limit unless something is owed to the disk. All state is behind one lock that
/// is never held over a system call.
final class OutboxStore: Sendable {
  /// Readable while events wait.
  let descriptor: Int32

  private enum Job: Sendable {
    case batches([Int], [StoreWrite])
    case prune(Pruning)
    case history(ClientID, alertID: String?)
    case keepConfig(KeptConfig, text: String)
    case stop
  }

  private struct Queues {
    var jobs: [Job] = []
    var events: [Event] = []
    /// nil until the thread ended; then whether everything is in its place.
    var ended: Bool?
  }

  /// Between two steps of pruning, so that most of what comes finds the disk at rest.
  private static let pruningPause = Duration.milliseconds(20)

  private let queues = Locked(Queues())
  private let wake: Int32
  private let stateDirectory: String
  private let runtimeDirectory: String

  init(stateDirectory: String, runtimeDirectory: String) throws(SystemError) {
    self.stateDirectory = stateDirectory
    self.runtimeDirectory = runtimeDirectory
    descriptor = try checked(sot_event_create(), "cannot make an eventfd")
    wake = sot_event_create_blocking()
    guard wake >= 0 else {
      let error = SystemError("cannot make an eventfd")
      close(descriptor)
      throw error
    }
  }

  deinit {
    // Safe: the thread holds a reference, so it has ended.
    close(descriptor)
    close(wake)
  }

  /// Starts the thread, which opens the store; `storeLoaded` follows as soon as it could be read.
  func start() {
    if Thread.detach(stackSize: 512 * 1024, { self.run() }) { return }
    tell([
      .storeLoaded(StoredState()),
      .storeDurability(problem: "no thread for the store; alerts are in memory only"),
    ])
  }

  /// What comes while the disk is busy goes to it at once: a press waits for one sync, however much is before it.
  func enqueue(batch: Int, _ writes: [StoreWrite]) {
    queues.withLock { queues in
      guard case .batches(var batches, var rows)? = queues.jobs.last else {
        queues.jobs.append(.batches([batch], writes))
        return
      }
      // Taken out first, so that what waits is not copied.
      queues.jobs.removeLast()
      batches.append(batch)
      rows += writes
      queues.jobs.append(.batches(batches, rows))
    }
    sot_event_signal(wake)
  }
  func prune(_ pruning: Pruning) { hand(.prune(pruning)) }
  func readHistory(_ client: ClientID, alertID: String?) { hand(.history(client, alertID: alertID)) }
  func keepConfig(_ kept: KeptConfig, text: String) { hand(.keepConfig(kept, text: text)) }

  /// What has happened since the last call.
  func drain() -> [Event] {
    sot_counter_drain(descriptor)
    return queues.withLock { queues in
      defer { queues.events = [] }
      return queues.events
    }
  }

  /// Does what was handed over and ends the thread, but waits no longer than `limit` for that. Returns
  /// whether everything is on disk.
  func stop(within limit: Duration) -> Bool {
    hand(.stop)
    let deadline = Clocks.now + limit
    while true {
      if let ended = queues.withLock({ $0.ended }) { return ended }
      let left = deadline - Clocks.now
      guard left > .zero else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, Self.milliseconds(left))
      sot_counter_drain(descriptor)
    }
  }

  private func hand(_ job: Job) {
    queues.withLock { $0.jobs.append(job) }
    sot_event_signal(wake)
  }

  private func tell(_ events: [Event]) {
    guard !events.isEmpty else { return }
    // Nearly always there are none before them, and to copy one takes longer than it looks.
    queues.withLock { $0.events = $0.events.isEmpty ? events : $0.events + events }
    sot_event_signal(descriptor)
  }

  // MARK: on the thread

  private func run() {
    _ = sot_sqlite_frugal()
    let keeper = OutboxKeeper(stateDirectory: stateDirectory, runtimeDirectory: runtimeDirectory)
    var configs = ConfigKeeper(stateDirectory: stateDirectory)
    tell(keeper.open(at: Clocks.now))
    while turn(keeper, &configs) {
      wait(until: earliest(keeper.retryAt, keeper.isPruning ? Clocks.now + Self.pruningPause : nil))
    }
    end(keeper)
  }

  /// Does what was handed over, or else a step of what has time. Returns false when it was told to stop.
  func turn(_ keeper: OutboxKeeper, _ configs: inout ConfigKeeper) -> Bool {
    let jobs = queues.withLock { queues in
      defer { queues.jobs = [] }
      return queues.jobs
    }
    if jobs.isEmpty { tell(keeper.pruneFurther(at: Clocks.now)) }
    for job in jobs {
      switch job {
      case .batches(let batches, let writes):
        tell(keeper.store(batches, writes, at: Clocks.now))
        keeper.tidy()
      case .prune(let pruning): keeper.prune(pruning)
      case .history(let client, let alertID): tell([keeper.history(client, of: alertID)])
      case .keepConfig(let kept, let text): tell(configs.keep(kept, text: text))
      case .stop: return false
      }
    }
    tell(keeper.retry(at: Clocks.now))
    return true
  }

  private func end(_ keeper: OutboxKeeper) {
    let isSettled = keeper.close()
    queues.withLock { $0.ended = isSettled }
    sot_event_signal(descriptor)
  }

  private func wait(until instant: BootTime?) {
    if let instant {
      var entry = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Self.milliseconds(max(.zero, instant - Clocks.now))) > 0 else { return }
    }
    // Waits for a job where there is none.
    sot_counter_drain(wake)
  }

  /// Rounded up, so that a wait is never cut short into a spin.
  private static func milliseconds(_ span: Duration) -> Int32 {
    Int32(clamping: span.wholeNanoseconds / 1_000_000 + 1)
  }
}
