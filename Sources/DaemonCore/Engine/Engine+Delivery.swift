/// Tries, their answers, and what a contact is known to have.
extension Engine {
  mutating func run(_ effects: [Outbox.Effect]) {
    for effect in effects {
      switch effect {
      case .attempt(let key, let route): attempt(key, by: route)
      case .changed(let key): if let delivery = outbox[key] { keep(delivery) }
      case .ended(let key): if let delivery = outbox[key] { ended(delivery) }
      }
    }
  }

  private mutating func attempt(_ key: Delivery.Key, by route: Route) {
    guard let config = configuration?.config, let delivery = outbox[key], let alert = book[key.alertID] else {
      return
    }
    guard let settings = config.gateways.named(route.gateway) else {
      finish(key, by: route, .retry(reason: "no gateway of that name is configured", after: nil))
      return
    }
    let sincePress = now - alert.pressed
    var keyed = route
    keyed.apiKey = config.contacts.apiKey(for: route)
    let composition = Composition(
      alertID: key.alertID, kind: delivery.kind, reason: delivery.reason, sequence: key.sequence,
      contact: delivery.contact, route: keyed, wearer: config.wearer.name, template: config.alert.text,
      map: config.alert.map, facts: delivery.facts, pressedAt: alert.pressedAt,
      sentAt: clock.date(of: now), sincePress: sincePress, drill: alert.kind == .drill,
      sinceFacts: key.sequence == 0 ? nil : now - delivery.created)
    let message = MessageComposer.compose(composition)
    guard
      let exchange = Exchange(
        key: key, route: route, settings: settings, timeout: config.delivery.attemptTimeout, message: message,
        late: delivery.kind == .alert && message.source.isLate)
    else {
      finish(key, by: route, .refused(reason: "the gateway has no way to send this"))
      return
    }
    log(
      delivery.attempts > 1 ? .debug : .info,
      "alert \(key.alertID): sending \(delivery.kind.rawValue) \(delivery.recipient(by: route))")
    send(exchange.request, of: exchange)
  }

  private mutating func send(_ request: Request, of exchange: consuming Exchange) {
    let id = newExchangeID()
    act(.send(id, request, timeout: exchange.timeout, caFile: exchange.caFile))
    exchanges[id] = exchange
  }

  mutating func newExchangeID() -> ExchangeID {
    defer { nextExchange += 1 }
    return ExchangeID(number: nextExchange)
  }

  mutating func responded(_ id: ExchangeID, _ result: Result<Response, TransportFailure>) {
    if addressAnswered(id, result) { return }
    if heardOnline(id, result) { return }
    if let number = fateExchanges.removeValue(forKey: id) { return fateAnswered(number, result) }
    guard var exchange = exchanges.removeValue(forKey: id) else { return }
    switch exchange.responded(result) {
    case .send(let request):
      // Cancelled, expired or taken by another route meanwhile: no other form of it is tried.
      if outbox[exchange.key]?.isEnded == false { send(request, of: exchange) }
    case .finished(let outcome, let next):
      if let next { send(next, of: exchange) }
      let isFirst = outbox[exchange.key]?.state.isTaken == false
      finish(exchange.key, by: exchange.route, outcome)
      if case .accepted(let acceptance) = outcome { accepted(exchange, acceptance, isFirst: isFirst) }
    case .companion(let step, let outcome, let next):
      if let next { send(next, of: exchange) }
      tellCompanion(step, outcome, of: exchange)
    }
  }

  private mutating func finish(_ key: Delivery.Key, by route: Route, _ outcome: Outcome) {
    let before = outbox[key]
    let effects = outbox.attemptFinished(key, by: route, outcome, at: now, fraction: entropy.fraction())
    if let before { tellOutcome(outcome, of: before, by: route) }
    run(effects)
  }

  /// `isFirst`: no other route had taken it before.
  private mutating func accepted(_ exchange: Exchange, _ acceptance: Acceptance, isFirst: Bool) {
    let key = exchange.key
    online.proven(exchange.route.gateway)
    guard let alert = book[key.alertID], alert.state != .cancelled else { return }
    if exchange.late, isFirst, let contact = outbox[key]?.contact {
      update(key.alertID, contact: asConfigured(contact), reason: .late)
    }
    guard let receipt = acceptance.receipt,
      let settings = configuration?.config.gateways.named(exchange.route.gateway)
    else { return }
    watch(key, Receipt(route: exchange.route, name: receipt), settings)
  }

  private mutating func watch(_ key: Delivery.Key, _ receipt: Receipt, _ settings: GatewaySettings) {
    fates.append(
      FateWatch(
        number: nextFate, key: key, route: receipt.route, settings: settings, receipt: receipt.name, at: now))
    nextFate += 1
  }

  /// After a restart: whether someone acknowledged what the run before had sent. Whether it was delivered was
  /// known by then, or never.
  mutating func watchAgain(_ alertID: String) {
    for delivery in outbox.deliveries(of: alertID) {
      guard delivery.state == .accepted || delivery.state == .delivered, let receipt = delivery.receipt,
        let settings = configuration?.config.gateways.named(receipt.route.gateway),
        settings.gateway.fatePace == .acknowledgement
      else { continue }
      watch(delivery.key, receipt, settings)
    }
  }

  /// First failure at warning, the same again at debug, success after failures at notice with the count.
  private mutating func tellOutcome(_ outcome: Outcome, of delivery: Delivery, by route: Route) {
    let about = "alert \(delivery.key.alertID): \(delivery.kind.rawValue) \(delivery.recipient(by: route))"
    switch outcome {
    case .accepted(let acceptance):
      let tries = delivery.attempts
      log(
        tries > 1 ? .notice : .info,
        "\(about) accepted tries=\(tries)\(acceptance.strong ? "" : " (which proves little here)")")
    case .retry(let reason, let after):
      let isNews = delivery.trouble(by: route) != reason
      let wait = after.map { " retry-after=\($0.text)" } ?? ""
      log(isNews ? .warning : .debug, "\(about) failed: \(reason)\(wait); trying again")
    case .refused(let reason):
      log(delivery.trouble(by: route) != reason ? .error : .debug, "\(about) refused: \(reason)")
    }
  }

  private mutating func tellCompanion(_ step: String, _ outcome: Outcome, of exchange: Exchange) {
    let about = "alert \(exchange.key.alertID): \(step) by \(exchange.route.gateway)"
    switch outcome {
    case .accepted: log(.debug, "\(about) accepted")
    case .retry(let reason, _), .refused(let reason): log(.info, "\(about) did not go: \(reason)")
    }
  }

  private mutating func ended(_ delivery: Delivery) {
    switch delivery.state {
    case .expired:
      log(
        .error,
        "alert \(delivery.key.alertID): \(delivery.contact.id) never got it; given up after \(delivery.attempts) tries"
      )
    case .held, .pending, .accepted, .delivered, .acknowledged, .refused, .cancelled:
      break
    }
  }

  // MARK: fate

  mutating func advanceFates() {
    guard !fates.isEmpty else { return }
    pruneFates()
    for index in fates.indices {
      guard let due = fates[index].due, now >= due else { continue }
      let watch = fates[index]
      guard let request = watch.settings.gateway.fateRequest(for: watch.receipt) else {
        fates[index].end()
        continue
      }
      fates[index].asked()
      let id = newExchangeID()
      fateExchanges[id] = watch.number
      let timeout = configuration?.config.delivery.attemptTimeout ?? DeliverySettings().attemptTimeout
      act(.send(id, request, timeout: watch.settings.timeout ?? timeout, caFile: watch.settings.caFile))
    }
    pruneFates()
  }

  /// Forgets those that are over. Whether someone acknowledged a drill is worth knowing after it.
  mutating func pruneFates() {
    guard !fates.isEmpty else { return }
    fates.removeAll { watch in
      guard !watch.isOver, let alert = book[watch.key.alertID], alert.state != .cancelled else { return true }
      guard watch.endsWithAlert, alert.state == .closed else { return false }
      return alert.kind != .drill || now >= alert.pressed + AlertBook.drillSpan
    }
  }

  private mutating func fateAnswered(_ number: Int, _ result: Result<Response, TransportFailure>) {
    guard let index = fates.firstIndex(where: { $0.number == number }) else { return }
    let watch = fates[index]
    fates[index].answered(at: now)
    guard case .success(let response) = result else { return }
    let fate = watch.settings.gateway.fate(from: response, of: watch.receipt)
    guard fate != .unknown else { return }
    fates[index].end()
    let about = "alert \(watch.key.alertID): \(watch.key.contactID) by \(watch.route.gateway)"
    switch fate {
    case .unknown: break
    case .delivered: log(.notice, "\(about) delivered")
    case .acknowledged:
      log(.notice, "\(about) acknowledged")
      if let thanks = watch.settings.gateway.thanks(for: response, of: watch.receipt) {
        act(
          .send(
            newExchangeID(), thanks, timeout: watch.settings.timeout ?? DeliverySettings().attemptTimeout,
            caFile: watch.settings.caFile))
      }
    case .failed: log(.warning, "\(about) was taken but could not be delivered")
    }
    run(
      outbox.fateLearned(watch.key, by: watch.route, fate, at: now, fraction: entropy.fraction()))
  }
}

extension Delivery {
  /// Who and by what, for the log: never an address.
  func recipient(by route: Route) -> Words {
    "contact=\(contact.id) gateway=\(route.gateway) sequence=\(key.sequence)"
  }

  fileprivate func trouble(by route: Route) -> String? {
    routes.first { $0.route.isSame(as: route) }?.trouble
  }
}
