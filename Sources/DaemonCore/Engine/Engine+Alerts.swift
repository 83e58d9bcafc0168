/// From a press to its messages, and from there to the end of the alert.
extension Engine {
  /// Old alerts are dropped at each start, and whenever this many more have ended.
  static let pruneEvery = 64

  /// Someone asked for help at `instant`. Returns the alert that it raised or belongs to.
  mutating func press(at instant: BootTime, kind: MessageKind, source: String) -> String {
    guard let config = configuration?.config else { return "" }
    lookUpAddress(online: true)
    if kind == .drill { return raise(at: instant, kind: kind, source: source, config) }
    switch book.pressed(at: instant, now: now, openFor: config.alert.openFor) {
    case .new:
      return raise(at: instant, kind: kind, source: source, config)
    case .joined(let id):
      log(.notice, "press by \(source): belongs to alert \(id)")
      keep(alertID: id)
      return id
    case .again(let id):
      log(.alert, "press by \(source) again: telling everyone alert=\(id)")
      for contact in config.contacts { update(id, contact: contact, reason: .pressedAgain) }
      keep(alertID: id)
      return id
    }
  }

  private mutating func raise(
    at instant: BootTime, kind: MessageKind, source: String, _ config: Shared<Config>
  ) -> String {
    let pressedAt = clock.date(of: instant)
    let id = AlertID.make(at: pressedAt, entropy: &entropy)
    let isHeld = config.alert.cancelWindow > .zero
    let alert = Alert(
      id: id, kind: kind, pressed: instant, pressedAt: pressedAt, bootID: identity.bootID,
      facts: factsWithAddress,
      state: isHeld ? .held : .open, lastPress: instant)
    book.add(alert, heldUntil: isHeld ? now + config.alert.cancelWindow : nil)
    let word = kind == .drill ? "drill" : "alert"
    let place = alert.facts.position.logWord
    let held: Words = isHeld ? " held=\(config.alert.cancelWindow.text)" : ""
    log(
      .alert, "\(word) \(id) raised by \(source) contacts=\(config.contacts.count) position=\(place)\(held)")
    keep(alertID: id)
    for contact in config.contacts {
      let key = Delivery.Key(alertID: id, contactID: contact.id, sequence: 0)
      let delivery = Delivery(
        key: key, kind: kind, facts: alert.facts, contact: contact, created: instant,
        phase: isHeld ? .held : .storing, state: isHeld ? .held : .pending)
      queue(delivery)
    }
    return id
  }

  /// Puts a message into the outbox and on its way to the disk; it leaves when that is done.
  private mutating func queue(_ delivery: consuming Delivery) {
    keep(delivery)
    gated.append(delivery.key)
    if geocoder != nil { awaitAddress(delivery) }
    outbox.add(delivery)
  }

  /// Tells one contact where the wearer is now. A newer update takes the place of one that is still waiting.
  mutating func update(_ alertID: String, contact: Contact, reason: UpdateReason) {
    let earlier = outbox.deliveries(of: alertID).filter { $0.key.contactID == contact.id }
    guard let last = earlier.map(\.key.sequence).max() else { return introduce(alertID, to: contact) }
    var why = reason
    for old in earlier where old.kind == .update && !old.isEnded && old.newestStart == nil {
      if old.reason == .pressedAgain { why = .pressedAgain }
      run(outbox.cancel(old.key))
    }
    // A server is for calls for help; the list costs nobody anything.
    lookUpAddress(online: reason != .position)
    let key = Delivery.Key(alertID: alertID, contactID: contact.id, sequence: last + 1)
    queue(
      Delivery(
        key: key, kind: .update, reason: why, facts: factsWithAddress, contact: contact, created: now,
        phase: .storing))
  }

  /// A contact who came with a reload hears of the alert itself first.
  private mutating func introduce(_ alertID: String, to contact: Contact) {
    guard let alert = book[alertID] else { return }
    let key = Delivery.Key(alertID: alertID, contactID: contact.id, sequence: 0)
    queue(
      Delivery(
        key: key, kind: alert.kind, facts: alert.facts, contact: contact, created: now, phase: .storing))
  }

  /// Ends what is open: the real alert, of which there are two when a press could not wait for the store, else
  /// the latest drill. Returns a sentence for the caller; nil when none was open.
  mutating func cancel() -> String? {
    let open = book.all.filter { $0.state == .held || $0.state == .open }
    let real = open.filter { $0.kind == .alert }
    let ending = real.isEmpty ? open.suffix(1) : real[...]
    return ending.isEmpty ? nil : ending.map { cancel($0) }.joined(separator: "; ")
  }

  private mutating func cancel(_ alert: Alert) -> String {
    let contacts = contactsTold(alert.id)
    let told = contacts.map(\.name)
    for delivery in outbox.deliveries(of: alert.id) { run(outbox.cancel(delivery.key)) }
    book.setState(alert.id, .cancelled)
    keep(alertID: alert.id)
    for contact in contacts {
      let sequences = outbox.deliveries(of: alert.id).filter { $0.key.contactID == contact.id }
        .map(\.key.sequence)
      let key = Delivery.Key(alertID: alert.id, contactID: contact.id, sequence: (sequences.max() ?? 0) + 1)
      queue(
        Delivery(
          key: key, kind: .allClear, facts: Facts(position: position, battery: charge), contact: contact,
          created: now, phase: .storing))
    }
    if told.isEmpty {
      log(.notice, "alert \(alert.id) cancelled before anyone was told")
      return "alert \(alert.id) cancelled; nobody had been told"
    }
    log(.notice, "alert \(alert.id) cancelled: all-clear to everyone who was told contacts=\(told.count)")
    return "alert \(alert.id) ended; all-clear goes to \(told.joined(separator: ", "))"
  }

  /// The contacts who may have heard of the alert: a try whose answer was lost counts.
  private func contactsTold(_ alertID: String) -> [Contact] {
    var contacts: [Contact] = []
    for delivery in outbox.deliveries(of: alertID) where delivery.mayHaveArrived {
      if !contacts.contains(where: { $0.id == delivery.contact.id }) {
        contacts.append(asConfigured(delivery.contact))
      }
    }
    return contacts
  }

  /// The contact with the routes of today: those of the alert may be gone.
  func asConfigured(_ contact: Contact) -> Contact {
    configuration?.config.contacts.first { $0.id == contact.id } ?? contact
  }

  /// What time alone does to alerts.
  mutating func advanceAlerts() {
    guard let settings = configuration?.config.alert else { return }
    for id in book.heldOver(at: now) { open(id) }
    for id in book.closing(at: now, openFor: settings.openFor) { close(id) }
    for id in book.periodicDue(at: now, settings.updates) {
      book.periodicSent(id, at: now)
      guard hasNews(since: id) else { continue }
      for contact in contactsTold(id) { update(id, contact: contact, reason: .position) }
    }
    closeDrills()
    forgetEnded()
  }

  /// The cancel window is over.
  mutating func open(_ id: String) {
    book.setState(id, .open)
    log(.alert, "alert \(id): cancel window over, telling everyone")
    keep(alertID: id)
    for delivery in outbox.deliveries(of: id) {
      let isStored = !ledger.isWaiting(delivery.key)
      run(outbox.windowOver(delivery.key, isStored: isStored, at: now))
    }
  }

  /// Its time is over. Nobody needs a drill that comes days later.
  private mutating func close(_ id: String) {
    let isDrill = book[id]?.kind == .drill
    book.setState(id, .closed)
    keep(alertID: id)
    guard isDrill else { return log(.notice, "alert \(id) closed; what is pending goes on") }
    log(.notice, "drill \(id) is over: not everyone has it")
    for delivery in outbox.deliveries(of: id) { run(outbox.expire(delivery.key)) }
  }

  /// Whether a fix arrived since the last message of that alert.
  private func hasNews(since id: String) -> Bool {
    guard let newest = fixes.newest else { return false }
    let last = outbox.deliveries(of: id).filter { $0.kind != .allClear }.map(\.created).max()
    return last.map { newest.at > $0 } ?? true
  }

  private mutating func closeDrills() {
    for alert in book.all where alert.kind == .drill && alert.state == .open {
      guard !outbox.isPending(alertID: alert.id) else { continue }
      book.setState(alert.id, .closed)
      keep(alertID: alert.id)
      log(.notice, "drill \(alert.id) is over: everyone has it")
    }
  }

  /// Alerts that are over and have nothing pending leave memory; the store keeps them.
  private mutating func forgetEnded() {
    pruneFates()
    for alert in book.all where alert.state == .closed || alert.state == .cancelled {
      guard !outbox.isPending(alertID: alert.id) else { continue }
      guard !fates.contains(where: { $0.key.alertID == alert.id }) else { continue }
      guard !exchanges.values.contains(where: { $0.key.alertID == alert.id }) else { continue }
      guard !pressWaits.contains(where: { $0.alertID == alert.id && $0.until != nil }) else { continue }
      writes.append(row(of: alert, ended: true))
      endedSincePrune += 1
      if endedSincePrune >= Self.pruneEvery {
        endedSincePrune = 0
        prune()
      }
      book.forget(alert.id)
      outbox.forget(alertID: alert.id)
    }
  }
}

extension PositionFact {
  /// Whether there is one, without saying where: for the log.
  var logWord: String {
    switch self {
    case .known(_, _, false): "known"
    case .known(_, _, true): "last-known"
    case .implausible: "implausible"
    case .unknown: "unknown"
    }
  }
}
