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

  var health = Health.fine
  /// On the medium: survives everything.
  private(set) var rows = Rows()
  /// In the runtime directory: survives a crash.
  private var unsaved = Backlog()

  private var jobs: [Job] = []
  private(set) var isBusy = false
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

  /// Whether the thread could begin with a job, or with a step of what has time.
  var hasWork: Bool { !isBusy && (!jobs.isEmpty || isPruning) && health != .stalled }
  private var isPruning: Bool { pruning != nil && isOpen && backlog.isEmpty }

  func hand(_ job: Job) { jobs.append(job) }

  func begin() { isBusy = true }

  /// Whether that message survives a crash.
  func holds(_ key: Delivery.Key) -> Bool {
    rows.deliveries[key] != nil || unsaved.holds(key)
  }

  /// The thread is through with its job. Returns what it tells, and when it wants to try again.
  func finish(at now: Int64, _ dice: inout Dice) -> (events: [Event], retryAt: Int64?) {
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
    isBusy = false
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

/// What the medium has not taken yet: the newest row of each key, in the order in which the keys first came.
struct Backlog {
  private enum Key: Hashable {
    case alert(String)
    case delivery(Delivery.Key)
    case note(StoreNote)

    init(_ write: StoreWrite) {
      switch write {
      case .alert(let id, _, _, _): self = .alert(id)
      case .delivery(let alert, let contact, let sequence, _, _):
        self = .delivery(Delivery.Key(alertID: alert, contactID: contact, sequence: sequence))
      case .note(let note, _): self = .note(note)
      }
    }
  }

  private var rows: [Key: StoreWrite] = [:]
  private var order: [Key] = []

  var isEmpty: Bool { order.isEmpty }
  var count: Int { order.count }
  var writes: [StoreWrite] { order.compactMap { rows[$0] } }
  func holds(_ key: Delivery.Key) -> Bool { rows[.delivery(key)] != nil }

  mutating func put(_ writes: [StoreWrite]) {
    for write in writes {
      let key = Key(write)
      if rows.updateValue(write, forKey: key) == nil { order.append(key) }
    }
  }
}

/// The rows of the outbox, in order of arrival.
struct Rows {
  struct Alert {
    var ended: Bool
    var pressedAt: Int64
    var document: String
  }
  struct Row {
    var pending: Bool
    var document: String
  }

  private static let pruningStep = 8

  private(set) var alerts: [String: Alert] = [:]
  private(set) var deliveries: [Delivery.Key: Row] = [:]
  private(set) var notes: [StoreNote: String] = [:]
  private var alertOrder: [String] = []
  private var deliveryOrder: [Delivery.Key] = []

  mutating func apply(_ writes: [StoreWrite]) {
    for write in writes { apply(write) }
  }

  mutating func apply(_ write: StoreWrite) {
    switch write {
    case .alert(let id, let ended, let pressedAt, let document):
      let row = Alert(ended: ended, pressedAt: pressedAt, document: document)
      if alerts.updateValue(row, forKey: id) == nil { alertOrder.append(id) }
    case .delivery(let alert, let contact, let sequence, let pending, let document):
      let key = Delivery.Key(alertID: alert, contactID: contact, sequence: sequence)
      if deliveries.updateValue(Row(pending: pending, document: document), forKey: key) == nil {
        deliveryOrder.append(key)
      }
    case .note(let note, let document): notes[note] = document
    }
  }

  /// A step, as the shell's store takes it: alerts first, then what is left of them. Returns whether there was one.
  mutating func prune(_ pruning: Pruning) -> Bool {
    let remnants = deliveryOrder.filter { alerts[$0.alertID] == nil && deliveries[$0]?.pending == false }
    if !remnants.isEmpty {
      for key in remnants.prefix(Self.pruningStep) { deliveries[key] = nil }
      deliveryOrder.removeAll { deliveries[$0] == nil }
      return true
    }
    let busy = Set(deliveries.lazy.filter(\.value.pending).map(\.key.alertID))
    let newest = Set(alertOrder.suffix(pruning.keepNewest))
    let leaving = alertOrder.filter { id in
      guard let alert = alerts[id], alert.ended, !busy.contains(id) else { return false }
      return !newest.contains(id) || pruning.before.map { alert.pressedAt < $0 } ?? false
    }
    for id in leaving.prefix(Self.pruningStep) { alerts[id] = nil }
    alertOrder.removeAll { alerts[$0] == nil }
    return !leaving.isEmpty
  }

  /// What a start reads: alerts that are not over or have something pending, with all their deliveries.
  var state: StoredState {
    let busy = Set(deliveries.lazy.filter(\.value.pending).map(\.key.alertID))
    let live = alertOrder.filter { id in busy.contains(id) || alerts[id]?.ended == false }
    let ids = Set(live)
    return StoredState(
      alerts: live.compactMap { alerts[$0]?.document },
      deliveries: deliveryOrder.filter { ids.contains($0.alertID) }.compactMap { deliveries[$0]?.document },
      notes: notes)
  }

  func alertDocuments(_ id: String?) -> [String] {
    alertOrder.filter { id == nil || $0 == id }.compactMap { alerts[$0]?.document }
  }

  func deliveryDocuments(_ id: String?) -> [String] {
    deliveryOrder.filter { id == nil || $0.alertID == id }.compactMap { deliveries[$0]?.document }
  }
}
