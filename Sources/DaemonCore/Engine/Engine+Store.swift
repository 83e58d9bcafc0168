/// What can only be done once it is known whether an alert is open.
enum EarlyRequest: Hashable, Sendable {
  case gesture(at: BootTime)
  case command(ClientID, Command)

  /// The same with nobody who waits for its end, where that was `client`.
  func without(_ client: ClientID) -> EarlyRequest {
    guard case .command(client, .press(let drill, _)) = self else { return self }
    return .command(client, .press(drill: drill, wait: nil))
  }
}

/// What goes to disk and what came from it.
extension Engine {
  /// A disk that has not been read for this long after the start does not answer.
  static let storePatience = Duration.seconds(5)

  /// Whether the store should have been read long ago.
  @inline(__always)
  var isStoreMissed: Bool {
    guard !isStoreLoaded, let startedAt else { return false }
    return now - startedAt >= Self.storePatience
  }

  /// Whether it is too early to know if an alert is open. Nothing is held up by that: a message leaves when it
  /// is stored, and the store reads before it writes.
  @inline(__always)
  var isStoreAwaited: Bool {
    guard !isStoreLoaded, !isStopping, let startedAt else { return false }
    return now - startedAt < StoreLedger.patience
  }

  /// Does what was asked before the store was read: a press belongs to the alert that was open before a restart.
  mutating func heedEarly() {
    guard !early.isEmpty, !isStoreAwaited else { return }
    let asked = early
    early = []
    for request in asked {
      switch request {
      case .gesture(let instant): gestureMade(at: instant)
      case .command(let client, let command): commanded(client, command)
      }
    }
  }

  mutating func keep(alertID: String) {
    if !changedAlerts.contains(alertID) { changedAlerts.append(alertID) }
  }

  func row(of alert: Alert, ended: Bool) -> StoreWrite {
    .alert(
      id: alert.id, ended: ended, pressedAt: alert.agesFrom,
      document: alert.document(identity: identity, now: now))
  }

  mutating func keep(_ delivery: Delivery) {
    writes.append(
      .delivery(
        alertID: delivery.key.alertID, contactID: delivery.key.contactID, sequence: delivery.key.sequence,
        pending: !delivery.isEnded, document: delivery.document(identity: identity, now: now)))
  }

  mutating func prune() {
    let wall = clock.date(of: now)
    let span = configuration?.config.delivery.keepHistory ?? DeliverySettings().keepHistory
    let before = wall.trusted ? wall.advanced(by: .zero - span).milliseconds : nil
    act(.prune(Pruning(keepNewest: 1000, before: before)))
  }

  /// Hands over what this event has to put on disk, as one transaction; later rows of the same key win.
  mutating func flush() {
    if changedAlerts.isEmpty, writes.isEmpty { return }
    var rows: [StoreWrite] = []
    for id in changedAlerts {
      if let alert = book[id] { rows.append(row(of: alert, ended: false)) }
    }
    for write in writes { rows.append(write) }
    changedAlerts = []
    writes = []
    guard !rows.isEmpty else { return }
    let batch = ledger.handedOver(waiting: gated, at: now)
    // Before any log line or message of the same event: the disk is the slowest, so it starts first.
    // Behind an earlier one of it, though: the newer row has to be the last.
    actions.append(.store(batch: batch, rows))
    for place in actions.indices.dropFirst().reversed() {
      if case .store = actions[place - 1] { break }
      actions.swapAt(place - 1, place)
    }
    gated = []
  }

  mutating func stored(_ batch: Int) {
    let (free, recovered) = ledger.stored(batch)
    if recovered { log(.notice, "store: works again, everything is on disk") }
    letGo(free)
  }

  mutating func storeFailed(_ batch: Int, _ reason: String) {
    let (free, isNews) = ledger.failed(batch, reason: reason)
    if isNews { log(.critical, "store: cannot keep alerts on disk: \(reason); sending from memory") }
    letGo(free)
  }

  mutating func durabilityLearned(_ problem: String?) {
    guard ledger.durabilityProblem != problem else { return }
    ledger.durabilityProblem = problem
    if let problem {
      log(.error, "store: \(problem)")
    } else {
      log(.notice, "store: alerts survive a power cut again")
    }
  }

  /// Messages do not wait for a disk that does not answer.
  mutating func letGoOverdue() {
    let (free, isNews) = ledger.overdue(at: now)
    if !free.isEmpty {
      log(
        .critical,
        "store: not on disk after \(StoreLedger.patience.wholeNanoseconds / 1_000_000) ms; sending from memory"
      )
    } else if isNews {
      log(.error, "store: the disk has not answered for \(StoreLedger.silence.wholeSeconds) s")
    }
    letGo(free)
  }

  private mutating func letGo(_ keys: [Delivery.Key]) {
    for key in keys {
      if let index = addressWaits.firstIndex(where: { $0.key == key }) {
        addressWaits[index].isStored = true
      } else {
        run(outbox.release(key, at: now))
      }
    }
  }

  /// The state of earlier runs. What is unreadable stays in the store and is told once. It may come a second
  /// time: what was found beside a disk that refused first, what is on the disk when that can be read.
  mutating func storeLoaded(_ state: StoredState) {
    isStoreLoaded = true
    for sentence in state.damage { log(.error, "store: \(sentence)") }
    if let text = state.notes[.position], let kept = KeptPosition(document: text) { fixes.restore(kept) }
    if let text = state.notes[.button], let history = ButtonHistory(document: text) {
      buttonHistory.seen = buttonHistory.seen ?? history.seen
    }
    var unreadable = 0
    var found: [String] = []
    var held: [Delivery.Key] = []
    for text in state.alerts {
      guard let alert = Alert(document: text, identity: identity, now: now) else {
        unreadable += 1
        continue
      }
      guard book[alert.id] == nil else { continue }
      book.add(alert)
      found.append(alert.id)
    }
    dateAlerts()
    for text in state.deliveries {
      guard let delivery = Delivery(document: text, identity: identity, now: now, book: book) else {
        unreadable += 1
        continue
      }
      guard outbox[delivery.key] == nil else { continue }
      outbox.resume(delivery, at: now, fraction: entropy.fraction())
      if delivery.phase == .held { held.append(delivery.key) }
      if delivery.reason == .pressedAgain, delivery.created.isOfThisBoot {
        book.toldAgain(delivery.key.alertID, at: delivery.created)
      }
    }
    if unreadable > 0 { log(.error, "store: \(unreadable) rows cannot be read by this version; left alone") }
    if let config = configuration?.config { outbox.reconfigured(config.value, at: now, hurry: false) }
    for id in found where book[id]?.state == .open { watchAgain(id) }
    let pending = outbox.pendingCount
    if pending > 0 { log(.notice, "store: \(pending) deliveries from before the restart go on") }
    // Nobody can cancel across a restart with certainty: help that is held back is worse than a false alarm.
    for id in found where book[id]?.state == .held { open(id) }
    // The alert's row may say open while the message's row is from before that.
    for key in held { run(outbox.windowOver(key, isStored: true, at: now)) }
    for id in found { keep(alertID: id) }
    prune()
  }
}
