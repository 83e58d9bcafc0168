import CSystem
import DaemonCore
import Glibc

/// Keeps rows on disk whatever the disk does: opens, repairs, retries, and says what became of it.
///
/// The real place is `outbox.db` in the state directory. What it does not take stays in the backlog and, so
/// that a restart of the daemon does not lose it, in `unsaved.db` in the runtime directory. While the real
/// place cannot even be opened, a copy of it is read in the runtime directory.
///
/// Used by one thread. Instants are of CLOCK_BOOTTIME.
final class OutboxKeeper {
  private static let firstDelay = Duration.seconds(1)
  private static let longestDelay = Duration.seconds(60)
  /// Rows in memory beyond which those of ended alerts are given up.
  private static let backlogLimit = 4096
  /// Writes a transaction that fit into the log's reserve on a full disk.
  private static let chunk = 16

  private let stateDirectory: String
  private let runtimeDirectory: String
  private var real: OutboxDatabase?
  private var copy: OutboxDatabase?
  private var unsaved: OutboxDatabase?
  private var backlog = StoreRows()
  private var failedBatches: [Int] = []
  private var trouble: StoreError?
  /// Whether the real place failed since it was opened last.
  private var isDoubtful = false
  /// Whether what the real place held has been handed over.
  private var isLoaded = false
  /// Whether what an earlier run left in the runtime directory has been handed over.
  private var isBacklogTold = false
  private var toldDurability: String?
  /// What may go, until all of it is gone, and how far that is.
  private var pruning: Pruning?
  private var walk: PruningWalk?
  private var delay = OutboxKeeper.firstDelay
  /// When to try again; nil while nothing is owed to the disk.
  private(set) var retryAt: BootTime?

  init(stateDirectory: String, runtimeDirectory: String) {
    self.stateDirectory = stateDirectory
    self.runtimeDirectory = runtimeDirectory
  }

  private var realPath: String { "\(stateDirectory)/\(StoreFiles.name)" }
  private var copyPath: String { "\(runtimeDirectory)/outbox-copy.db" }
  private var unsavedPath: String { "\(runtimeDirectory)/unsaved.db" }

  /// Whether everything that was handed over is in the real place.
  var isSettled: Bool { backlog.isEmpty && real != nil }
  /// Whether there are steps of pruning that could be taken.
  var isPruning: Bool { pruning != nil && isSettled }

  // MARK: what is asked of it

  func open(at now: BootTime) -> [Event] {
    var damage: [String] = []
    if StoreFiles.exists(unsavedPath) {
      unsaved = try? openOrRepair(unsavedPath, reserving: false, &damage).database
      backlog.put((try? unsaved?.rows(liveOnly: false)) ?? [])
    }
    return settle(at: now, damage)
  }

  /// Puts the writes of some batches on disk together.
  func store(_ batches: [Int], _ writes: [StoreWrite], at now: BootTime) -> [Event] {
    if backlog.isEmpty, let real {
      do throws(StoreError) {
        try real.apply(writes)
        return batches.map { .stored(batch: $0) }
      } catch {
        note(error)
      }
    }
    backlog.put(writes)
    backlog.shed(to: Self.backlogLimit)
    var events = settle(at: now)
    if backlog.isEmpty { return events + batches.map { .stored(batch: $0) } }
    let isKept = keepUnsaved(writes)
    if real == nil, isKept {
      // Safe from a crash, not from a power cut: `storeDurability` has told so.
      events += batches.map { .stored(batch: $0) }
    } else {
      failedBatches += batches
      let reason = trouble.map { "\($0)" } ?? "unknown"
      events += batches.map { .storeFailed(batch: $0, reason: reason) }
    }
    return events
  }

  /// Does what need not be done before the answer to a batch.
  func tidy() {
    real?.tidy()
    unsaved?.tidy()
  }

  /// From now on this may go.
  func prune(_ pruning: Pruning) { (self.pruning, walk) = (pruning, nil) }

  /// Takes a step of pruning, if one is left.
  func pruneFurther(at now: BootTime) -> [Event] {
    guard isPruning, let pruning else { return [] }
    do throws(StoreError) {
      if try goOn(pruning) {
        real?.tidy()
      } else {
        (self.pruning, walk) = (nil, nil)
        // The store rests now: the holes that the alerts since the last time left in memory go back to the kernel.
        sot_malloc_trim()
      }
      return []
    } catch {
      // Nothing depends on it: the next one tries again.
      (self.pruning, walk) = (nil, nil)
      note(error)
      return settle(at: now)
    }
  }

  private func goOn(_ pruning: Pruning) throws(StoreError) -> Bool {
    guard let real else { return false }
    var walk = if let begun = self.walk { begun } else { try real.walk(pruning) }
    defer { self.walk = walk }
    return try real.step(&walk)
  }

  func retry(at now: BootTime) -> [Event] {
    guard let due = retryAt, now >= due else { return [] }
    retryAt = nil
    delay = min(delay * 2, Self.longestDelay)
    return settle(at: now)
  }

  func history(_ client: ClientID, of alertID: String?) -> Event {
    let here = backlog.history(of: alertID)
    let there = try? (real ?? copy)?.history(of: alertID)
    return .historyRead(
      client, alerts: (there?.alerts ?? []) + here.alerts,
      deliveries: (there?.deliveries ?? []) + here.deliveries)
  }

  /// Lets go of the files; whether everything is in its place.
  func close() -> Bool {
    let isSettled = isSettled
    (real, copy, unsaved) = (nil, nil, nil)
    return isSettled
  }

  // MARK: towards the real place

  /// Opens the real place if it is not open and puts the backlog into it.
  private func settle(at now: BootTime, _ earlierDamage: [String] = []) -> [Event] {
    var events: [Event] = []
    var damage = earlierDamage
    let wasLoaded = isLoaded
    do throws(StoreError) {
      if real == nil { events += try openReal(&damage) }
      if try pay() { events += failedBatches.map { .stored(batch: $0) } }
      failedBatches = []
      delay = Self.firstDelay
      retryAt = nil
      trouble = nil
    } catch {
      note(error)
      if !isLoaded { events += loadCopy(&damage) }
      // A try that is planned stays planned: new batches must not push it away.
      retryAt = retryAt ?? now + delay
    }
    if wasLoaded, !damage.isEmpty {
      events.append(.shellFault(name: "store", problem: damage.joined(separator: "; ")))
    }
    return events + tellDurability()
  }

  private func openReal(_ damage: inout [String]) throws(StoreError) -> [Event] {
    if let problem = StateDirectory.problem(stateDirectory) {
      throw StoreError(.unusable, "cannot keep alerts", problem)
    }
    let (opened, rows) = try openOrRepair(realPath, reserving: true, doubting: isDoubtful, &damage)
    isDoubtful = false
    real = opened
    // The rows of another file have other places.
    walk = nil
    copy = nil
    StoreFiles.remove(copyPath)
    guard !isLoaded else { return [] }
    isLoaded = true
    var all = StoreRows(rows)
    all.put(backlog.writes)
    return [.storeLoaded(all.state(damage: damage))]
  }

  /// Returns whether there was anything to pay.
  private func pay() throws(StoreError) -> Bool {
    guard let real, !backlog.isEmpty else { return false }
    let writes = backlog.writes
    do throws(StoreError) {
      try real.apply(writes, again: true)
    } catch {
      guard error.kind == .full, writes.count > Self.chunk else { throw error }
      // An alert stands before its deliveries, so a cut between two parts leaves nothing senseless.
      for start in stride(from: 0, to: writes.count, by: Self.chunk) {
        try real.apply(Array(writes[start..<min(start + Self.chunk, writes.count)]), again: true)
      }
    }
    backlog = StoreRows()
    unsaved = nil
    StoreFiles.remove(unsavedPath)
    return true
  }

  private func note(_ error: StoreError) {
    trouble = error
    switch error.kind {
    case .full, .busy: break
    // Opened anew, a damaged file is found to be so, and a place that came back is found again.
    case .damaged, .unusable: (real, isDoubtful) = (nil, true)
    }
  }

  /// A damaged file keeps existing under another name; what can be read of it joins the backlog. Returns also what is
  /// live in it: a large file is not read twice.
  private func openOrRepair(
    _ path: String, reserving: Bool, doubting: Bool = false, _ damage: inout [String]
  ) throws(StoreError) -> (database: OutboxDatabase, live: [StoreWrite]) {
    do throws(StoreError) {
      let opened = try OutboxDatabase(path: path, reserving: reserving, doubting: doubting)
      return (opened, try opened.rows(liveOnly: true))
    } catch {
      guard error.kind == .damaged else { throw error }
      let aside = try StoreFiles.setAside(path)
      let rows = salvage(aside)
      backlog.putBelow(rows)
      damage.append(
        "\(path) is damaged (\(error.reason)): set aside as \(aside), \(rows.count) rows of it go on")
      return (try OutboxDatabase(path: path, reserving: reserving), [])
    }
  }

  /// Reads a copy, so that what was set aside stays as it was found.
  private func salvage(_ path: String) -> [StoreWrite] {
    let target = "\(runtimeDirectory)/salvage.db"
    defer { StoreFiles.remove(target) }
    mkdir(runtimeDirectory, 0o755)
    do throws(StoreError) {
      try StoreFiles.copy(path, to: target)
      return StoreSalvage.rows(of: target)
    } catch {
      return StoreSalvage.rows(of: path)
    }
  }

  // MARK: while there is no real place

  /// What the real place holds, read from a copy; or at least what it was never told.
  private func loadCopy(_ damage: inout [String]) -> [Event] {
    var rows: [StoreWrite]?
    mkdir(runtimeDirectory, 0o755)
    do throws(StoreError) {
      try StoreFiles.copy(realPath, to: copyPath)
      do throws(StoreError) {
        let opened = try OutboxDatabase(path: copyPath, reserving: false)
        rows = try opened.rows(liveOnly: true)
        copy = opened
      } catch {
        rows = StoreSalvage.rows(of: copyPath)
        damage.append("\(realPath) is damaged (\(error.reason)): \(rows?.count ?? 0) rows of it go on")
        StoreFiles.remove(copyPath)
      }
    } catch {
      if !StoreFiles.exists(realPath) { rows = [] }
    }
    isLoaded = rows != nil
    // What this run handed over itself is no news to it: told at each of its writes, it would write for ever.
    guard isLoaded || !isBacklogTold else { return [] }
    isBacklogTold = true
    guard isLoaded || !backlog.isEmpty else { return [] }
    var all = StoreRows(rows ?? [])
    all.put(backlog.writes)
    return [.storeLoaded(all.state(damage: damage))]
  }

  /// Returns whether the writes are safe from a crash of the daemon.
  private func keepUnsaved(_ writes: [StoreWrite]) -> Bool {
    mkdir(runtimeDirectory, 0o755)
    do throws(StoreError) {
      if unsaved == nil {
        var damage: [String] = []
        let opened = try openOrRepair(unsavedPath, reserving: false, &damage).database
        unsaved = opened
        try opened.apply(backlog.writes, again: true)
      } else {
        try unsaved?.apply(writes)
      }
      return true
    } catch {
      unsaved = nil
      return false
    }
  }

  private func tellDurability() -> [Event] {
    var problem: String?
    if real == nil {
      problem = (trouble.map { "\($0)" } ?? "no store") + "; alerts do not survive a power cut"
    } else if sot_is_in_memory(stateDirectory) {
      problem = "\(stateDirectory) is in memory: alerts do not survive a power cut"
    }
    guard problem != toldDurability else { return [] }
    toldDurability = problem
    return [.storeDurability(problem: problem)]
  }
}
