/// How a delivery stands in the store. Keys and tokens are never part of it.
extension Delivery {
  static let recordVersion = 1
  /// Far more than an alert ever has; a number that was spoilt on the disk could not be counted on.
  private static let sequenceLimit = 1_000_000

  func document(identity: Engine.Identity, now: BootTime) -> String {
    let weak = routes.filter { $0.state == .weak }.map(\.route.record)
    return JSON.fields([
      ("version", .integer(Self.recordVersion)), ("alert", .string(key.alertID)),
      ("sequence", .integer(key.sequence)), ("kind", .string(kind.rawValue)),
      ("reason", reason.map { .string($0.rawValue) } ?? .null), ("contact", contact.record),
      ("state", .string(state.rawValue)), ("ended", .bool(isEnded)), ("attempts", .integer(attempts)),
      ("route", route.map { .string($0) } ?? .null), ("last_error", lastError.map { .string($0) } ?? .null),
      ("weak", .array(weak)),
      (
        "receipt",
        receipt.map { .fields([("route", $0.route.record), ("name", .string($0.name))]) } ?? .null
      ),
      ("created", RecordTime(bootID: identity.bootID, instant: created, written: now).record),
      // The alert's own message has the alert's facts; they stand once.
      ("facts", key.sequence == 0 ? .null : facts.record),
    ]).encoded
  }

  /// nil when the document is damaged, of another version, or its alert is not there.
  init?(document: String, identity: Engine.Identity, now: BootTime, book: AlertBook) {
    guard let record = JSON(parsing: document), record["version"]?.integer == Self.recordVersion,
      let alertID = record["alert"]?.string, let sequence = record["sequence"]?.integer,
      (0...Self.sequenceLimit).contains(sequence),
      let kind = record["kind"]?.string.flatMap(MessageKind.init(rawValue:)),
      let contact = Contact(record: record["contact"]),
      let state = record["state"]?.string.flatMap(DeliveryState.init(rawValue:)),
      let ended = record["ended"]?.bool, let created = RecordTime(record: record["created"]),
      let alert = book[alertID], let facts = Facts(record: record["facts"]) ?? Optional(alert.facts)
    else { return nil }
    self.init(
      key: Key(alertID: alertID, contactID: contact.id, sequence: sequence), kind: kind,
      reason: record["reason"]?.string.flatMap(UpdateReason.init(rawValue:)), facts: facts, contact: contact,
      created: min(created.instant(in: identity.bootID), now),
      phase: ended ? .ended : state == .held ? .held : .waiting(until: now), state: state)
    // Counts that were spoilt on the disk must not spoil the back-off.
    attempts = min(max(record["attempts"]?.integer ?? 0, 0), 1_000_000)
    route = record["route"]?.string
    lastError = record["last_error"]?.string
    if let given = record["receipt"], let route = given["route"].flatMap(Route.init(record:)),
      let name = given["name"]?.string
    {
      receipt = Receipt(route: route, name: name)
    }
    let weak = record["weak"]?.array?.compactMap(Route.init(record:)) ?? []
    for index in routes.indices where weak.contains(where: routes[index].route.isSame) {
      routes[index].state = .weak
    }
  }
}

extension Contact {
  var record: JSON {
    .fields([
      ("id", .string(id)), ("name", .string(name)), ("language", .string(language.rawValue)),
      ("routes", .array(routes.map(\.record))),
    ])
  }

  init?(record: JSON?) {
    guard let record, let id = record["id"]?.string, let name = record["name"]?.string,
      let stored = record["routes"]?.array
    else { return nil }
    let routes = stored.compactMap(Route.init(record:))
    let language = record["language"]?.string.flatMap(Language.init(rawValue:)) ?? .english
    self.init(name: name, id: id, language: language, routes: routes)
  }
}

extension Route {
  var record: JSON {
    .fields([("gateway", .string(gateway)), ("to", to.map { .string($0) } ?? .null)])
  }

  init?(record: JSON) {
    guard let gateway = record["gateway"]?.string else { return nil }
    self.init(gateway: gateway, to: record["to"]?.string)
  }
}
