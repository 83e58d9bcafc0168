/// Finds among the outbox's deliveries what an event concerns, so that none has to look through all of them.
struct OutboxIndex: Sendable {
  /// Counts arrivals, by key.
  private var serials: [Delivery.Key: Int] = [:]
  private var nextSerial = 0
  private var ofAlert: [String: [Delivery.Key]] = [:]
  private var pendingOfAlert: [String: Int] = [:]
  /// When each delivery is next due, for those that are.
  private var planned: [Delivery.Key: BootTime] = [:]
  private var agenda = Agenda()
  /// What is due and waits for its gateway to have room.
  private var queues: [String: Agenda] = [:]
  /// By contact, those whom a whole round did not reach.
  private var missed: [String: Agenda] = [:]
  private var missedKeys: Set<Delivery.Key> = []

  private(set) var pendingCount = 0
  /// How many wait for the disk.
  private(set) var storingCount = 0
  /// Tries under way, by gateway.
  private(set) var underWay: [String: Int] = [:]

  var nextDeadline: BootTime? { agenda.first?.due }
  /// Gateways for which something is queued.
  var busyGateways: [String] { queues.keys.sorted() }

  func keys(ofAlert id: String) -> [Delivery.Key] { ofAlert[id] ?? [] }
  func pendingCount(ofAlert id: String) -> Int { pendingOfAlert[id] ?? 0 }

  /// In order of arrival.
  func sorted(_ keys: some Sequence<Delivery.Key>) -> [Delivery.Key] {
    keys.sorted { serials[$0, default: 0] < serials[$1, default: 0] }
  }

  /// The oldest delivery of each contact whom a whole round did not reach.
  var firstMissed: [Delivery.Key] {
    missed.values.compactMap(\.first).sorted { $0.serial < $1.serial }.map(\.key)
  }

  /// Takes in that a delivery became `new`; nil: it is forgotten.
  mutating func changed(_ key: Delivery.Key, from old: Delivery?, to new: Delivery?, due: BootTime?) {
    if old == nil {
      serials[key] = nextSerial
      nextSerial += 1
      ofAlert[key.alertID, default: []].append(key)
    }
    if let old { count(old, by: -1) }
    if let new { count(new, by: 1) }
    plan(key, due)
    note(key, isMissed: new?.isMissed ?? false)
  }

  mutating func forget(alertID: String) {
    for key in ofAlert.removeValue(forKey: alertID) ?? [] { serials[key] = nil }
  }

  private mutating func count(_ delivery: Delivery, by one: Int) {
    guard !delivery.isEnded else { return }
    pendingCount += one
    let left = pendingOfAlert[delivery.key.alertID, default: 0] + one
    pendingOfAlert[delivery.key.alertID] = left == 0 ? nil : left
    if delivery.phase == .storing { storingCount += one }
    for progress in delivery.routes {
      if case .inFlight = progress.state { underWay[progress.route.gateway, default: 0] += one }
    }
  }

  private mutating func plan(_ key: Delivery.Key, _ due: BootTime?) {
    guard planned[key] != due else { return }
    planned[key] = due
    if let due { agenda.add(entry(key, due)) }
    // Those far off surface late: what no longer holds must not pile up until then.
    if agenda.count > 2 * planned.count + 64 {
      agenda.removeAll()
      for (key, due) in planned { agenda.add(entry(key, due)) }
    }
    settle()
  }

  private mutating func settle() {
    agenda.settle { planned[$0.key] == $0.due }
  }

  private func entry(_ key: Delivery.Key, _ due: BootTime) -> Agenda.Entry {
    Agenda.Entry(due: due, serial: serials[key, default: 0], key: key)
  }

  /// Takes out what is due, earliest first. It is due no more until it changes.
  mutating func takeDue(at now: BootTime) -> [Delivery.Key] {
    var due: [Delivery.Key] = []
    while let entry = agenda.first, entry.due <= now {
      due.append(entry.key)
      planned[entry.key] = nil
      settle()
    }
    return due
  }

  mutating func enqueue(_ key: Delivery.Key, for gateway: String, due: BootTime) {
    queues[gateway, default: Agenda()].add(entry(key, due))
  }

  /// Takes out what has waited longest for that gateway.
  mutating func dequeue(for gateway: String) -> Delivery.Key? {
    guard let entry = queues[gateway]?.first else {
      queues[gateway] = nil
      return nil
    }
    queues[gateway]?.removeFirst()
    return entry.key
  }

  private mutating func note(_ key: Delivery.Key, isMissed: Bool) {
    guard isMissed != missedKeys.contains(key) else { return }
    if isMissed {
      missedKeys.insert(key)
      missed[key.contactID, default: Agenda()].add(entry(key, .zero))
    } else {
      missedKeys.remove(key)
    }
    let keys = missedKeys
    missed[key.contactID]?.settle { keys.contains($0.key) }
    if missed[key.contactID]?.first == nil { missed[key.contactID] = nil }
  }
}

extension Delivery {
  fileprivate var isMissed: Bool { isUnreached && !isEnded && !state.isTaken && lastError != nil }
}
