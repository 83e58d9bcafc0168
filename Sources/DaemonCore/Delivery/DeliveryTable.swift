/// The outbox's deliveries, each in a slot that stays its own, and what finds among them those that an event
/// concerns, so that nothing has to look through all of them.
struct DeliveryTable: Sendable {
  /// What is known of a slot beside its delivery.
  private struct Mark: Sendable {
    /// Counts arrivals.
    var serial: Int
    /// When its delivery is next due; nil when it is not.
    var due: BootTime?
    var isMissed = false
  }

  /// What concerns one gateway.
  private struct Load: Sendable {
    let gateway: String
    var triesUnderWay = 0
    /// What is due and waits for room.
    var queue = Agenda()
  }

  /// After what time a delivery is given up.
  var expire = DeliverySettings().expire
  private var deliveries: [Delivery] = []
  private var marks: [Mark] = []
  private var vacant: [Int] = []
  private var nextSerial = 0
  private var slotOfKey: [Delivery.Key: Int] = [:]
  private var slotsOfAlert: [String: [Int]] = [:]
  private var agenda = Agenda()
  /// Of the few gateways that were ever tried.
  private var loads: [Load] = []
  /// By contact, those whom a whole round did not reach.
  private var missed: [String: Agenda] = [:]

  private(set) var pendingCount = 0
  /// How many wait for the disk.
  private(set) var storingCount = 0

  subscript(slot: Int) -> Delivery { deliveries[slot] }

  var keys: some Collection<Delivery.Key> { slotOfKey.keys }

  func slot(of key: Delivery.Key) -> Int? { slotOfKey[key] }

  /// In order of arrival.
  func slots(ofAlert id: String) -> [Int] { slotsOfAlert[id] ?? [] }

  /// The newest first: what is pending is found soon.
  func isPending(alertID: String) -> Bool {
    slotsOfAlert[alertID]?.last { !deliveries[$0].isEnded } != nil
  }

  /// Those that have not ended, in order of arrival.
  var live: [Int] {
    deliveries.indices.filter { !deliveries[$0].isEnded }.sorted { marks[$0].serial < marks[$1].serial }
  }

  /// The oldest delivery of each contact whom a whole round did not reach.
  var firstMissed: [Int] {
    if missed.isEmpty { return [] }
    return missed.values.compactMap(\.first).sorted { $0.serial < $1.serial }.map(\.slot)
  }

  mutating func put(_ delivery: consuming Delivery) {
    let slot = slotOfKey[delivery.key] ?? takeSlot(for: delivery.key)
    // Swapped into its place: it is long to copy.
    var other = delivery
    change(slot) { swap(&$0, &other) }
  }

  private mutating func takeSlot(for key: Delivery.Key) -> Int {
    if vacant.isEmpty {
      vacant.append(deliveries.count)
      deliveries.append(.none)
      marks.append(Mark(serial: 0))
    }
    let slot = vacant.removeLast()
    marks[slot].serial = nextSerial
    nextSerial += 1
    slotOfKey[key] = slot
    slotsOfAlert[key.alertID, default: []].append(slot)
    return slot
  }

  mutating func forget(alertID: String) {
    for slot in slotsOfAlert.removeValue(forKey: alertID) ?? [] {
      slotOfKey[deliveries[slot].key] = nil
      change(slot) { $0.phase = .ended }
      deliveries[slot] = .none
      vacant.append(slot)
    }
  }

  /// Changes a delivery in its place.
  mutating func change<Result>(_ slot: Int, _ change: (inout Delivery) -> Result) -> Result {
    count(slot, by: -1)
    let (result, due, isMissed) = deliveries[slot].change(by: change, expire: expire)
    count(slot, by: 1)
    if marks[slot].due != due { plan(slot, due) }
    if marks[slot].isMissed != isMissed { note(slot, isMissed) }
    return result
  }

  private mutating func count(_ slot: Int, by one: Int) {
    guard !deliveries[slot].isEnded else { return }
    pendingCount += one
    if deliveries[slot].phase == .storing { storingCount += one }
    for route in deliveries[slot].routes.indices {
      guard case .inFlight = deliveries[slot].routes[route].state else { continue }
      loads[load(of: deliveries[slot].routes[route].route.gateway)].triesUnderWay += one
    }
  }

  private func entry(_ slot: Int, _ due: BootTime) -> Agenda.Entry {
    Agenda.Entry(due: due, serial: marks[slot].serial, slot: slot)
  }

  /// Whether its slot still holds the same delivery.
  private func isCurrent(_ entry: Agenda.Entry) -> Bool { marks[entry.slot].serial == entry.serial }

  // MARK: what is due

  var nextDeadline: BootTime? { agenda.first?.due }

  private mutating func plan(_ slot: Int, _ due: BootTime?) {
    marks[slot].due = due
    if let due { agenda.add(entry(slot, due)) }
    // Those far off surface late: what no longer holds must not pile up until then.
    if agenda.count > 2 * marks.count + 64 {
      agenda.removeAll()
      for slot in marks.indices {
        if let due = marks[slot].due { agenda.add(entry(slot, due)) }
      }
    }
    settle()
  }

  private mutating func settle() {
    while let entry = agenda.first, !isCurrent(entry) || marks[entry.slot].due != entry.due {
      agenda.removeFirst()
    }
  }

  /// Takes out what is due, earliest first. It is due no more until it changes.
  mutating func takeDue(at now: BootTime) -> [Int] {
    var due: [Int] = []
    while let entry = agenda.first, entry.due <= now {
      due.append(entry.slot)
      plan(entry.slot, nil)
    }
    return due
  }

  // MARK: what waits for a gateway

  private mutating func load(of gateway: String) -> Int {
    if let known = loads.firstIndex(where: { $0.gateway == gateway }) { return known }
    loads.append(Load(gateway: gateway))
    return loads.count - 1
  }

  var isAnythingQueued: Bool { loads.contains { $0.queue.count > 0 } }

  /// Gateways for which something is queued.
  var busyGateways: [String] { loads.filter { $0.queue.count > 0 }.map(\.gateway).sorted() }

  mutating func enqueue(_ slot: Int, for gateway: String, due: BootTime) {
    loads[load(of: gateway)].queue.add(entry(slot, due))
  }

  /// Takes out what has waited longest for that gateway, unless so many tries by it are under way.
  mutating func dequeue(for gateway: String, unless most: Int) -> Int? {
    let load = load(of: gateway)
    guard loads[load].triesUnderWay < most else { return nil }
    while let entry = loads[load].queue.first {
      loads[load].queue.removeFirst()
      if isCurrent(entry) { return entry.slot }
    }
    return nil
  }

  // MARK: who is not reached

  private mutating func note(_ slot: Int, _ isMissed: Bool) {
    marks[slot].isMissed = isMissed
    let contact = deliveries[slot].key.contactID
    var agenda = missed.removeValue(forKey: contact) ?? Agenda()
    if isMissed { agenda.add(entry(slot, .zero)) }
    while let entry = agenda.first, !isCurrent(entry) || !marks[entry.slot].isMissed { agenda.removeFirst() }
    if agenda.first != nil { missed[contact] = agenda }
  }
}

extension Delivery {
  /// What a vacant slot holds.
  fileprivate static var none: Delivery {
    Delivery(
      key: Key(alertID: "", contactID: "", sequence: 0), kind: .alert, facts: Facts(position: .unknown),
      contact: Contact(name: "", id: "", routes: []), created: .zero, phase: .ended)
  }

  /// Tells what the table keeps of it afterwards, too: one access in its place, where three would copy it.
  fileprivate mutating func change<Result>(
    by change: (inout Delivery) -> Result, expire: Duration
  ) -> (result: Result, due: BootTime?, isMissed: Bool) {
    let result = change(&self)
    return (result, deadline(expire: expire), isMissed)
  }

  private var isMissed: Bool { isUnreached && !isEnded && !state.isTaken && lastError != nil }
}
