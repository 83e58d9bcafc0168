import Foundation
import Testing

@testable import DaemonCore

/// A daemon in a world of its own: virtual time, a disk that can fail, servers that answer as told.
struct World {
  /// What a server does with a request.
  enum Answer {
    case answers(Response, after: Duration = .milliseconds(100))
    case breaks(TransportFailure.Kind, after: Duration = .milliseconds(100))
    /// Takes the request and says nothing: the try ends with its timeout.
    case silent

    static let ok = Answer.answers(Response(status: 200))
    static let down = Answer.breaks(.connecting)
  }

  enum Disk {
    case writes(after: Duration)
    case fails(String)
    case stalls
  }

  /// A request as it left.
  struct Sent {
    var at: BootTime
    var id: ExchangeID
    var request: Request
    var host: String
    var document: JSON?
    /// Whether the disk had the message when it left.
    var isStored = false

    var alertID: String { document?["alert"]?.string ?? "" }
    var kind: String { document?["kind"]?.string ?? "" }
    var reason: String? { document?["reason"]?.string }
    var sequence: Int { document?["sequence"]?.integer ?? -1 }
    var contact: String { document?["contact"]?.string ?? "" }
    var text: String { document?["text"]?.string ?? "" }
    var key: String { request.headers.first { $0.name == "Idempotency-Key" }?.value ?? "" }
  }

  var config: Config
  var bootID = "boot-1"
  var engine: Engine
  var now: BootTime
  var disk = Disk.writes(after: .milliseconds(20))
  /// What is on the disk.
  var synced = Rows()
  /// By host; a host that is not here answers 200.
  var servers: [String: (Sent) -> Answer] = [:]
  var sent: [Sent] = []
  /// What the list of places says; nil where its disk never answers.
  var places: ((Spot) -> Result<NearestPlace?, PlacesFile.Fault>)?
  var searches: [Spot] = []
  /// What the services say when they are asked whether all is well; by default that it is.
  var probes: (Request, _ connectsOnly: Bool) -> Answer = { _, _ in
    .answers(Sample.answer(200, #"{"ok":true,"sid":"AC1","status":"active"}"#))
  }
  var probed: [DaemonCore.Request] = []
  var logs: [LogLine] = []
  var notifications: [DaemonCore.Notification] = []
  var replies: [(client: ClientID, line: JSON, last: Bool)] = []
  var kept: [KeptConfig] = []
  /// Every row of an alert that was handed to the store.
  var written: [(ended: Bool, pressedAt: Int64)] = []
  /// How often the store was asked to drop old alerts.
  var prunes = 0
  var exits: [Int32] = []
  var pings: [BootTime] = []
  var steps: [BootTime] = []
  /// Cut the power right after this many actions were carried out; nil never.
  var cutAfter: Int?
  private(set) var actionsDone = 0
  private(set) var isCut = false
  private var coming: [(at: BootTime, order: Int, event: Event, rows: [StoreWrite])] = []
  private var order = 0
  private var seed: UInt64 = 1

  init(_ config: Config = World.config(), at start: Duration = .seconds(100), wall: WallTime = Sample.moment)
  {
    self.config = config
    engine = Engine(identity: Engine.Identity(version: "0.0.0", bootID: bootID))
    now = .zero + start
    boot(wall: wall)
  }

  /// Contacts a, b, …, each with the given hosts as webhooks, best first.
  static func config(_ routes: [[String]] = [["mum.example"]], button: Bool = false) -> Config {
    var config = Config()
    config.wearer.name = "Ayu"
    config.gateways = Set(routes.flatMap { $0 }).sorted().map { webhook($0) }
    let names = ["Mum", "Dad", "Kim", "Lee"]
    config.contacts = zip(names, routes).map { name, hosts in
      Contact(name: name, id: name.lowercased(), routes: hosts.map { Route(gateway: $0) })
    }
    if button { config.button = ButtonSettings(line: .offset(17)) }
    return config
  }

  static func webhook(_ host: String) -> GatewaySettings {
    GatewaySettings(
      name: host, type: "webhook",
      gateway: Webhook(
        url: "https://\(host)/", method: "POST", headers: [], body: .json, contentType: "application/json",
        accept: WebhookAccept()))
  }

  static func twilio(_ host: String, channel: TwilioChannel = .sms) -> GatewaySettings {
    GatewaySettings(
      name: host, type: "twilio",
      gateway: Twilio(
        baseURL: "https://\(host)", accountSID: "AC1", authToken: "secret", sender: .from("+15550100"),
        channel: channel, contentSID: nil))
  }

  // MARK: life

  /// Starts the daemon as the shell does: clock, configuration, then what the store holds.
  private mutating func boot(wall: WallTime) {
    feed(.clockRead(wall))
    feed(.configRead(.good(config, text: "{}", warnings: [])))
    feed(.storeLoaded(synced.state))
  }

  /// What the disk does not have is lost. The new run is another boot unless `sameBoot`.
  mutating func restart(sameBoot: Bool = false, off: Duration = .seconds(10), wall: WallTime? = nil) {
    let clock = engine.clock.date(of: now).advanced(by: off)
    coming = []
    isCut = false
    cutAfter = nil
    if sameBoot {
      now = now + off
    } else {
      bootID += "+"
      now = .zero + .seconds(30)
    }
    engine = Engine(identity: Engine.Identity(version: "0.0.0", bootID: bootID))
    boot(wall: wall ?? clock)
  }

  mutating func feed(_ event: Event) {
    guard !isCut else { return }
    seed &+= 1
    for action in engine.handle(event, at: now, entropy: Entropy(high: seed, low: 42)) {
      carryOut(action)
      actionsDone += 1
      if actionsDone == cutAfter {
        isCut = true
        coming = []
        return
      }
    }
  }

  mutating func at(_ instant: Duration, _ event: Event) {
    plan(.zero + instant, event)
  }

  /// Runs until `span` from now, jumping from deadline to deadline.
  mutating func run(for span: Duration) { run(until: now + span) }

  mutating func run(until end: BootTime) {
    var idle = 0
    while !isCut {
      let due = engine.nextDeadline
      let next = coming.min { ($0.at, $0.order) < ($1.at, $1.order) }
      guard let instant = [due, next?.at].compactMap({ $0 }).min(), instant <= end else { break }
      idle = instant <= now && next.map({ $0.at > now }) ?? true ? idle + 1 : 0
      if idle > 100 {
        Issue.record("the engine spins at \(now): its deadline \(String(describing: due)) is never served")
        break
      }
      now = max(now, instant)
      steps.append(now)
      if let next, next.at <= now {
        coming.removeAll { $0.order == next.order }
        synced.apply(next.rows)
        feed(next.event)
      } else {
        feed(.deadline)
      }
    }
    if !isCut { now = max(now, end) }
  }

  // MARK: what people do

  @discardableResult
  mutating func press(drill: Bool = false, client: Int = 1) -> String {
    let earlier = replies.count
    feed(.commanded(ClientID(number: client), .press(drill: drill, wait: nil)))
    let said = replies.dropFirst(earlier).first?.line["text"]?.string
    return said ?? engine.pressWaits.last { $0.client.number == client && !$0.isTold }?.alertID ?? ""
  }

  mutating func cancel() -> JSON? {
    feed(.commanded(ClientID(number: 2), .cancel))
    return replies.last?.line
  }

  mutating func fix(_ latitude: Double = -6.1754) {
    feed(.gpsReported(GpsReport(mode: 3, latitude: latitude, longitude: 106.8272, accuracy: 4)))
  }

  mutating func reload(_ next: Config) {
    config = next
    feed(.configRead(.good(next, text: "{}", warnings: [])))
  }

  // MARK: what can be seen

  func sent(to host: String) -> [Sent] { sent.filter { $0.host == host } }

  func delivery(_ alertID: String, _ contact: String, _ sequence: Int = 0) -> Delivery? {
    engine.outbox[Delivery.Key(alertID: alertID, contactID: contact, sequence: sequence)]
  }

  /// What is known of a delivery, in memory or on the disk.
  func state(_ alertID: String, _ contact: String, _ sequence: Int = 0) -> String? {
    if let delivery = delivery(alertID, contact, sequence) { return delivery.state.rawValue }
    let row = synced.deliveries.first {
      $0.alertID == alertID && $0.contactID == contact && $0.sequence == sequence
    }
    return row.flatMap { JSON(parsing: $0.document) }?["state"]?.string
  }

  func logged(_ level: LogLine.Level, _ part: String) -> Bool {
    logs.contains { $0.level == level && $0.text.contains(part) }
  }

  /// `alerts --json` as a user would get it now.
  mutating func history(_ id: String? = nil) -> JSON? {
    feed(.commanded(ClientID(number: 9), .alerts(id: id)))
    run(for: .milliseconds(100))
    return replies.last { $0.client.number == 9 }?.line["json"]
  }

  // MARK: what the shell does

  private mutating func plan(_ instant: BootTime, _ event: Event, rows: [StoreWrite] = []) {
    order += 1
    coming.append((at: instant, order: order, event: event, rows: rows))
  }

  private mutating func carryOut(_ action: Action) {
    switch action {
    case .log(let line): logs.append(line)
    case .store(let batch, let rows): write(batch, rows)
    case .readHistory(let client, let id):
      let rows = synced
      plan(
        now + .milliseconds(50),
        .historyRead(
          client, alerts: rows.alerts.filter { id == nil || $0.id == id }.map(\.document),
          deliveries: rows.deliveries.filter { id == nil || $0.alertID == id }.map(\.document)))
    case .prune: prunes += 1
    case .keepConfig(let which, _): kept.append(which)
    case .send(let id, let request, let timeout, _): send(id, request, timeout)
    case .probe(let id, let request, let timeout, _, let connectsOnly):
      probed.append(request)
      switch probes(request, connectsOnly) {
      case .answers(let response, let delay): plan(now + delay, .responded(id, .success(response)))
      case .breaks(let kind, let delay):
        plan(now + delay, .responded(id, .failure(TransportFailure(kind: kind))))
      case .silent: plan(now + timeout, .responded(id, .failure(TransportFailure(kind: .timedOut))))
      }
    case .reply(let client, let line, let last):
      replies.append((client: client, line: JSON(parsing: line) ?? .null, last: last))
    case .notify(.watchdog): pings.append(now)
    case .notify(let notification): notifications.append(notification)
    case .exit(let status): exits.append(status)
    case .searchPlaces(let search, let spot, _):
      searches.append(spot)
      guard let result = places?(spot) else { return }
      plan(now + .milliseconds(5), .placeFound(search: search, result))
    case .openButton, .closeButton, .restButton, .markReleased, .markPressed, .keepEdges, .openGps, .closeGps,
      .readBatteries:
      break
    }
  }

  private mutating func write(_ batch: Int, _ rows: [StoreWrite]) {
    for case .alert(_, let ended, let pressedAt, _) in rows { written.append((ended, pressedAt)) }
    switch disk {
    case .writes(let delay): plan(now + delay, .stored(batch: batch), rows: rows)
    case .fails(let reason): plan(now + .milliseconds(5), .storeFailed(batch: batch, reason: reason))
    case .stalls: break
    }
  }

  private mutating func send(_ id: ExchangeID, _ request: Request, _ timeout: Duration) {
    let host = request.url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    var letter = Sent(
      at: now, id: id, request: request, host: host, document: request.body.flatMap { JSON(parsing: $0) })
    letter.isStored = synced.deliveries.contains {
      letter.key == "\($0.alertID)/\($0.contactID)/\($0.sequence)"
    }
    sent.append(letter)
    switch servers[host]?(letter) ?? .ok {
    case .answers(let response, let delay): plan(now + delay, .responded(id, .success(response)))
    case .breaks(let kind, let delay):
      plan(now + delay, .responded(id, .failure(TransportFailure(kind: kind))))
    case .silent: plan(now + timeout, .responded(id, .failure(TransportFailure(kind: .timedOut))))
    }
  }
}

/// The rows of the fake disk, in order of arrival.
struct Rows {
  struct AlertRow {
    var id: String
    var ended: Bool
    var document: String
  }
  struct DeliveryRow {
    var alertID: String
    var contactID: String
    var sequence: Int
    var pending: Bool
    var document: String
  }

  var alerts: [AlertRow] = []
  var deliveries: [DeliveryRow] = []
  var notes: [StoreNote: String] = [:]

  mutating func apply(_ writes: [StoreWrite]) {
    for write in writes {
      switch write {
      case .alert(let id, let ended, _, let document):
        let row = AlertRow(id: id, ended: ended, document: document)
        if let index = alerts.firstIndex(where: { $0.id == id }) {
          alerts[index] = row
        } else {
          alerts.append(row)
        }
      case .delivery(let alertID, let contactID, let sequence, let pending, let document):
        let row = DeliveryRow(
          alertID: alertID, contactID: contactID, sequence: sequence, pending: pending, document: document)
        let index = deliveries.firstIndex {
          $0.alertID == alertID && $0.contactID == contactID && $0.sequence == sequence
        }
        if let index { deliveries[index] = row } else { deliveries.append(row) }
      case .note(let note, let document): notes[note] = document
      }
    }
  }

  /// What a start reads: alerts that are not over or have something pending, with all their deliveries.
  var state: StoredState {
    let live = alerts.filter { alert in
      !alert.ended || deliveries.contains { $0.alertID == alert.id && $0.pending }
    }
    let ids = Set(live.map(\.id))
    return StoredState(
      alerts: live.map(\.document),
      deliveries: deliveries.filter { ids.contains($0.alertID) }.map(\.document), notes: notes)
  }
}
