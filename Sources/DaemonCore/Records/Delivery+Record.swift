/// How a delivery stands in the store. Keys and tokens are never part of it.
extension Delivery {
  static let recordVersion = 1
  /// Far more than an alert ever has; a number that was spoilt on the disk could not be counted on.
  private static let sequenceLimit = 1_000_000

  func document(identity: Engine.Identity, now: BootTime) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("version", Self.recordVersion)
      json.member("alert", key.alertID)
      json.member("sequence", key.sequence)
      json.member("kind", kind)
      json.member("reason", reason)
      json.member("contact", contact)
      json.member("state", state)
      json.member("ended", isEnded)
      json.member("attempts", attempts)
      json.member("route", route)
      json.member("last_error", lastError)
      json.key("weak")
      json.array { json in
        for progress in routes where progress.state == .weak { json.element(progress.route) }
      }
      json.member("receipt", receipt)
      json.member("created", RecordTime(bootID: identity.bootID, instant: created, written: now))
      // The alert's own message has the alert's facts; they stand once.
      json.member("facts", key.sequence == 0 ? nil : facts)
    }
    return json.text
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

extension Receipt: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("route", route)
      json.member("name", name)
    }
  }
}

extension Contact: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("name", name)
      json.member("language", language)
      json.member("routes", routes)
    }
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

extension Route: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("gateway", gateway)
      json.member("to", to)
    }
  }

  init?(record: JSON) {
    guard let gateway = record["gateway"]?.string else { return nil }
    self.init(gateway: gateway, to: record["to"]?.string)
  }
}
