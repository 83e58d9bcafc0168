import DaemonCore

/// The medium and the thread that writes to it, as the shell's store behaves: one transaction a batch; what the
/// medium does not take waits in a backlog, and in the runtime directory.
package final class Disk {
  package enum Health: Hashable, Sendable, CaseIterable {
    case fine
    /// Full: what is there can be read.
    case full
    /// Read-only: nothing can be opened for writing.
    case readOnly
    /// Cannot even be read.
    case unreadable
    /// Answers nothing for as long as that lasts.
    case stalled
  }

  enum Job {
    case open
    case batch(Int, [StoreWrite])
    case prune(Pruning)
    case history(ClientID, alertID: String?)
    case retry
  }

  private(set) var health = Health.fine
  /// On the medium: survives everything.
  private(set) var rows = Rows()
  /// In the runtime directory: survives a crash.
  private var unsaved = Backlog()

  private var jobs: [Job] = []
  private var isBusy = false
  /// A job that would be done by now waits for the medium to answer again.
  private var isHeldUp = false
  private var backlog = Backlog()
  private var failedBatches: [Int] = []
  private(set) var isOpen = false
  private var isLoaded = false
  private var isBacklogTold = false
  private var toldProblem: String?
  private var delay = Int64(1_000_000_000)
  private var retryAt: Int64?
  private var pruning: Pruning?
  /// What reached the medium since it was last asked.
  private(set) var synced: [StoreWrite] = []

  private var isPruning: Bool { pruning != nil && isOpen && backlog.isEmpty }

  func hand(_ job: Job) { jobs.append(job) }

  /// Returns whether what it was held up with goes on.
  func change(to next: Health) -> Bool {
    health = next
    guard next != .stalled else { return false }
    defer { isHeldUp = false }
    return isHeldUp
  }

  /// The thread turns to a job, or to a step of what has time. Returns how long it takes; nil when there is nothing to do.
  func begin(_ dice: inout Dice) -> Int64? {
    guard !isBusy, !jobs.isEmpty || isPruning, health != .stalled else { return nil }
    isBusy = true
    return ms(dice.happens(3) ? 700 : dice.within(2...40))
  }

  /// Whether that message survives a crash.
  func holds(_ key: Delivery.Key) -> Bool {
    rows.deliveries[key] != nil || unsaved.holds(key)
  }

  /// The thread is through with its job. Returns what it tells, and when it wants to try again; nil while the medium
  /// holds it up.
  func finish(at now: Int64, _ dice: inout Dice) -> (events: [Event], retryAt: Int64?)? {
    isHeldUp = health == .stalled
    guard !isHeldUp else { return nil }
    isBusy = false
    guard !jobs.isEmpty else {
      pruneFurther()
      return ([], nil)
    }
    let before = retryAt
    let events = work(on: jobs.removeFirst(), at: now, &dice)
    return (events, retryAt == before ? nil : retryAt)
  }

  func takeSynced() -> [StoreWrite] {
    defer { synced = [] }
    return synced
  }

  /// The daemon is gone. The transaction under way is on the medium or it is not.
  func lose(keepingRuntime: Bool, _ dice: inout Dice) {
    if isBusy, isOpen, health == .fine, backlog.isEmpty, case .batch(_, let writes)? = jobs.first,
      dice.happens(50)
    {
      apply(writes)
    }
    jobs = []
    (isBusy, isHeldUp) = (false, false)
    backlog = Backlog()
    failedBatches = []
    isOpen = false
    isLoaded = false
    isBacklogTold = false
    toldProblem = nil
    retryAt = nil
    pruning = nil
    delay = 1_000_000_000
    if !keepingRuntime { unsaved = Backlog() }
  }

  /// What is left to do at an orderly end, done at once if the disk lets it.
  func flush(_ dice: inout Dice) {
    guard health != .stalled else { return }
    while !jobs.isEmpty { _ = work(on: jobs.removeFirst(), at: 0, &dice) }
    isBusy = false
  }

  private func work(on job: Job, at now: Int64, _ dice: inout Dice) -> [Event] {
    switch job {
    case .open:
      backlog = unsaved
      return settle(at: now, &dice)
    case .batch(let number, let writes): return store(number, writes, at: now, &dice)
    case .prune(let pruning):
      self.pruning = pruning
      return []
    case .history(let client, let id):
      var all = rows
      all.apply(backlog.writes)
      return [.historyRead(client, alerts: all.alertDocuments(id), deliveries: all.deliveryDocuments(id))]
    case .retry:
      guard let due = retryAt, now >= due else { return [] }
      retryAt = nil
      delay = min(delay * 2, 60_000_000_000)
      return settle(at: now, &dice)
    }
  }

  private func pruneFurther() {
    guard isPruning, let pruning else { return }
    if health != .fine || !rows.prune(pruning) { self.pruning = nil }
  }

  private func store(_ batch: Int, _ writes: [StoreWrite], at now: Int64, _ dice: inout Dice) -> [Event] {
    if backlog.isEmpty, isOpen {
      if health == .fine {
        apply(writes)
        return [.stored(batch: batch)]
      }
      if health != .full { isOpen = false }
    }
    backlog.put(writes)
    let events = settle(at: now, &dice)
    if backlog.isEmpty { return events + [.stored(batch: batch)] }
    unsaved = backlog
    if !isOpen { return events + [.stored(batch: batch)] }
    failedBatches.append(batch)
    return events + [.storeFailed(batch: batch, reason: "database or disk is full")]
  }

  private func settle(at now: Int64, _ dice: inout Dice) -> [Event] {
    var events: [Event] = []
    if !isOpen, health == .fine || health == .full {
      isOpen = true
      events += load(all: rows)
    }
    if isOpen, backlog.isEmpty || health == .fine {
      if !backlog.isEmpty {
        apply(backlog.writes)
        backlog = Backlog()
        unsaved = Backlog()
        events += failedBatches.map { .stored(batch: $0) }
      }
      failedBatches = []
      delay = 1_000_000_000
      retryAt = nil
    } else {
      // A full disk takes a part of what is owed, in order.
      if isOpen, backlog.count > 16 {
        apply(Array(backlog.writes.prefix(16 * dice.within(0...backlog.count / 16))))
      }
      if !isOpen, !isLoaded {
        if health != .unreadable {
          events += load(all: rows)
        } else if !isBacklogTold, !backlog.isEmpty {
          events += load(all: Rows())
          isLoaded = false
        }
        isBacklogTold = true
      }
      retryAt = retryAt ?? now + delay
    }
    return events + tellDurability()
  }

  private func load(all known: Rows) -> [Event] {
    guard !isLoaded else { return [] }
    isLoaded = true
    var all = known
    all.apply(backlog.writes)
    return [.storeLoaded(all.state)]
  }

  private func tellDurability() -> [Event] {
    let problem = isOpen ? nil : "cannot keep alerts: the disk is read-only"
    guard problem != toldProblem else { return [] }
    toldProblem = problem
    return [.storeDurability(problem: problem)]
  }

  private func apply(_ writes: [StoreWrite]) {
    rows.apply(writes)
    synced += writes
  }
}
