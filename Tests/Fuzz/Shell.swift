@testable import DaemonCore

/// Does to the Engine what the shell does, with whatever answers come, and holds it to what must be so at every step.
struct Shell {
  private(set) var engine: Engine
  private(set) var now: BootTime
  /// Milliseconds since 1970 at the boot.
  private var bootedAt: Int64 = 1_796_004_847_000
  private var isClockTrusted = true
  private var seed: UInt64 = 1
  private(set) var hasEnded = false
  private var isStopAsked = false

  /// What is on the disk, as of the batches that it has taken.
  private(set) var disk = Disk()
  private(set) var batches: [(number: Int, writes: [StoreWrite], at: BootTime)] = []
  private var lastBatch = 0
  /// Messages that may leave: stored, known not to be, or read back.
  private var free: Set<Delivery.Key> = []
  private var waiting: [Delivery.Key: BootTime] = [:]
  /// Of a store that is being read; each may be worth a line in the log.
  private var linesRead = 0

  private(set) var exchanges: [(id: ExchangeID, request: Request)] = []
  private var lastExchange = 0
  private(set) var gpsGeneration = 0
  /// Clients that have not had their last line.
  private(set) var clients: [ClientID] = []
  private(set) var historyAsked: [ClientID] = []
  private var lastClient = 0
  /// Those who left before what they asked could be done; it is done all the same.
  private var goneEarly: Set<ClientID> = []
  private var boots = 1

  struct Disk {
    var alerts: [String: String] = [:]
    var deliveries: [String: String] = [:]
    var notes: [StoreNote: String] = [:]
    var ended: Set<String> = []

    var state: StoredState {
      StoredState(
        alerts: alerts.filter { !ended.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value),
        deliveries: deliveries.sorted { $0.key < $1.key }.map(\.value), notes: notes)
    }
  }

  init() {
    engine = Self.engine(boot: 1)
    now = BootTime(nanoseconds: 60_000_000_000)
    feed(.clockRead(wall))
  }

  private static func engine(boot: Int) -> Engine {
    Engine(identity: Engine.Identity(version: "0", bootID: "boot-\(boot)", pingInterval: .seconds(30)))
  }

  // MARK: time

  mutating func wait(_ span: Duration) { now = min(now + span, BootTime(nanoseconds: .max / 2)) }

  /// Wakes when it is asked for, and finds nothing due after that.
  mutating func wakeOnTime() {
    if let due = engine.nextDeadline { now = max(now, due) }
    wake()
  }

  mutating func wake() {
    feed(.clockRead(wall))
    feed(.deadline)
    if let due = engine.nextDeadline {
      require(due > now, "at \(now) the next deadline is \(due): \(whoseDeadlines)")
    }
  }

  private var whoseDeadlines: String {
    let alert = engine.configuration?.config.alert
    let all: [(String, BootTime?)] = [
      ("outbox", engine.outbox.nextDeadline), ("ledger", engine.ledger.nextDeadline),
      ("gps", engine.gps.nextDeadline),
      ("button", engine.button?.nextDeadline(at: now)), ("ping", engine.pingAt), ("proven", engine.provenAt),
      ("book", alert.flatMap { engine.book.nextDeadline(openFor: $0.openFor, updates: $0.updates) }),
      ("waits", engine.pressWaits.compactMap(\.until).min()), ("fates", engine.fates.compactMap(\.due).min()),
    ]
    return all.map { "\($0.0) \($0.1.map { "\($0.nanoseconds)" } ?? "-")" }.joined(separator: ", ")
  }

  mutating func setClock(_ milliseconds: Int64, trusted: Bool) {
    bootedAt = milliseconds
    isClockTrusted = trusted
    feed(.clockStepped)
    feed(.clockRead(wall))
  }

  private var wall: WallTime {
    WallTime(
      milliseconds: bootedAt &+ now.nanoseconds / 1_000_000, utcOffset: 25_200, trusted: isClockTrusted)
  }

  // MARK: end and beginning

  /// Killed, or by a power cut: what the disk does not have is lost.
  mutating func restart(powerCut: Bool) {
    if powerCut {
      boots += 1
      now = BootTime(nanoseconds: 12_000_000_000)
    }
    engine = Self.engine(boot: boots)
    hasEnded = false
    isStopAsked = false
    (batches, lastBatch, free, waiting) = ([], 0, [], [:])
    (exchanges, lastExchange, clients, historyAsked, goneEarly) = ([], 0, [], [], [])
    gpsGeneration = 0
    feed(.clockRead(wall))
  }

  mutating func load(_ state: StoredState) {
    for record in state.deliveries.compactMap({ JSON(parsing: $0) }) {
      guard let alert = record["alert"]?.string, let contact = record["contact"]?["id"]?.string,
        let sequence = record["sequence"]?.integer
      else { continue }
      free.insert(Delivery.Key(alertID: alert, contactID: contact, sequence: sequence))
    }
    linesRead = state.alerts.count + state.deliveries.count + state.damage.count
    feed(.storeLoaded(state))
    linesRead = 0
    for key in engine.outbox.keys { free.insert(key) }
  }

  /// The daemon reads what it has written: what was open still is, or is over by now and written as that.
  mutating func loadDisk() {
    let state = disk.state
    load(state)
    guard !hasEnded else { return }
    var known = Set(engine.book.all.map(\.id))
    for case .alert(let id, ended: true, _, _) in batches.flatMap(\.writes) { known.insert(id) }
    for record in state.alerts.compactMap({ JSON(parsing: $0) }) {
      guard record["state"]?.string == AlertState.held.rawValue else { continue }
      require(known.contains(record["id"]?.string ?? ""), "\(record.encoded) was stored and is not read back")
    }
  }

  // MARK: the disk

  mutating func store(_ index: Int, fails: Bool) {
    guard !batches.isEmpty else { return }
    let batch = fails ? batches[index % batches.count] : batches.remove(at: index % batches.count)
    for case .delivery(let alert, let contact, let sequence, _, _) in batch.writes {
      free.insert(Delivery.Key(alertID: alert, contactID: contact, sequence: sequence))
    }
    if fails { return feed(.storeFailed(batch: batch.number, reason: "no space left on device")) }
    for write in batch.writes { apply(write) }
    feed(.stored(batch: batch.number))
  }

  private mutating func apply(_ write: StoreWrite) {
    switch write {
    case .alert(let id, let ended, _, let document):
      disk.alerts[id] = document
      if ended { disk.ended.insert(id) } else { disk.ended.remove(id) }
    case .delivery(let alert, let contact, let sequence, _, let document):
      disk.deliveries["\(alert)/\(contact)/\(sequence)"] = document
    case .note(let note, let document): disk.notes[note] = document
    }
  }

  // MARK: asking and answering

  mutating func command(_ command: Command) {
    lastClient += 1
    let client = ClientID(number: lastClient)
    clients.append(client)
    feed(.commanded(client, command))
  }

  mutating func leave(_ index: Int) {
    guard !clients.isEmpty else { return feed(.clientGone(ClientID(number: index + 1000))) }
    let client = clients.remove(at: index % clients.count)
    for case .command(client, _) in engine.early { goneEarly.insert(client) }
    historyAsked.removeAll { $0 == client }
    feed(.clientGone(client))
  }

  mutating func tellHistory(alerts: [String], deliveries: [String]) {
    guard let client = historyAsked.popLast() else { return }
    feed(.historyRead(client, alerts: alerts, deliveries: deliveries))
  }

  mutating func respond(_ index: Int, _ answer: (Request) -> Result<Response, TransportFailure>) {
    guard !exchanges.isEmpty else { return }
    let exchange = exchanges.remove(at: index % exchanges.count)
    feed(.responded(exchange.id, answer(exchange.request)))
  }

  mutating func stop() {
    isStopAsked = true
    feed(.stopRequested)
  }

  // MARK: what must be so

  mutating func feed(_ event: Event) {
    guard !hasEnded else { return }
    seed &+= 1
    // What was asked before the store was read is done at once when it is.
    let before = engine.outbox.keys.count + engine.early.count
    let actions = engine.handle(event, at: now, entropy: Entropy(high: seed, low: 1))
    let size = before + engine.outbox.keys.count + engine.book.all.count
    require(actions.count <= 60 + 12 * (size + linesRead), "\(actions.count) actions for \(size) rows")
    for action in actions { carryOut(action, after: event) }
  }

  private mutating func carryOut(_ action: Action, after event: Event) {
    switch action {
    case .log(let line): checkSilence(line.text)
    case .store(let batch, let writes): handOver(batch, writes)
    case .prune(let pruning): require(pruning.keepNewest > 0, "everything is dropped")
    case .readHistory(let client, _):
      require(clients.contains(client), "the store is read for nobody")
      historyAsked.append(client)
    case .send(let id, let request, let timeout, _), .probe(let id, let request, let timeout, _, _):
      send(id, request, timeout)
    case .openGps(_, _, let generation):
      require(generation > gpsGeneration, "gpsd is opened again under an old number")
      gpsGeneration = generation
    case .reply(let client, let line, let last):
      let isOwed = goneEarly.contains(client) && last
      require(clients.contains(client) || isOwed, "\(client) is told \(line) and has gone")
      require(
        ControlAnswer(line: Array(line.utf8)) != nil && !line.utf8.contains(0x0A), "an odd answer: \(line)")
      checkSilence(line)
      if last { clients.removeAll { $0 == client } }
    case .exit(let status):
      var isConfig = false
      if case .configRead = event { isConfig = true }
      require(status == 0 ? isStopAsked : status == 78 && isConfig, "an end with \(status) after \(event)")
      hasEnded = true
    case .notify(.status(let text)), .notify(.ready(let text)):
      require(!text.utf8.contains(0x0A) && text.utf8.count < 2000, "an odd status: \(text)")
      checkSilence(text)
    case .keepConfig, .openButton, .closeButton, .restButton, .markReleased, .markPressed, .keepEdges,
      .closeGps, .searchPlaces, .readBatteries,
      .notify(.reloading), .notify(.stopping), .notify(.watchdog):
      break
    }
  }

  private mutating func handOver(_ batch: Int, _ writes: [StoreWrite]) {
    require(batch == lastBatch + 1 && !writes.isEmpty, "batch \(batch) after \(lastBatch)")
    lastBatch = batch
    batches.append((batch, writes, now))
    for write in writes {
      switch write {
      case .alert(let id, _, _, let document):
        checkSilence(document)
        let alert = Alert(document: document, identity: engine.identity, now: now)
        require(alert?.id == id, "an alert that cannot be read back: \(document)")
      case .delivery(let alert, let contact, let sequence, let pending, let document):
        checkSilence(document)
        let key = Delivery.Key(alertID: alert, contactID: contact, sequence: sequence)
        if waiting[key] == nil { waiting[key] = now }
        let record = JSON(parsing: document)
        require(record?["ended"]?.bool == !pending, "a row that says otherwise than its document")
      case .note(_, let document): require(JSON(parsing: document) != nil, "a note that is none: \(document)")
      }
    }
  }

  private mutating func send(_ id: ExchangeID, _ request: Request, _ timeout: Duration) {
    require(id.number > lastExchange, "exchange \(id.number) after \(lastExchange)")
    lastExchange = id.number
    exchanges.append((id, request))
    require(timeout > .zero && timeout <= .seconds(120), "a try of \(timeout)")
    let texts = [request.method, request.url] + request.headers.flatMap { [$0.name, $0.value] }
    require(
      texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } },
      "a request with control characters")
    guard let exchange = engine.exchanges[id] else { return }
    let isLate = waiting[exchange.key].map { now - $0 >= StoreLedger.patience } ?? true
    require(free.contains(exchange.key) || isLate, "\(exchange.key) leaves before it is stored")
  }

  private func checkSilence(_ text: String) {
    require(!Array(text.utf8).holds(secretMark), "a secret is told: \(text)")
  }
}
