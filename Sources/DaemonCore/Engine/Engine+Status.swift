/// What the daemon says about itself.
extension Engine {
  /// No release of this program is older: a clock that says so was never set.
  package static let releaseYear = 2026

  package var status: Status {
    let config = configuration?.config
    let position = self.position
    return Status(
      headline: headline, wearer: config?.wearer.name, button: buttonStatus,
      gps: Status.Gps(
        state: gpsState, position: position, reports: fixes.reports, rubbish: rubbish),
      geocoder: geocoder.map {
        Status.Geocoder(
          service: $0.settings.service, trouble: $0.trouble ?? online.addressTrouble,
          placesTrouble: $0.placesTrouble)
      },
      outbox: Status.Outbox(pending: outbox.pendingCount, isDurable: isStoreLoaded && ledger.isDurable),
      alerts: book.all.map { alert in
        Status.OpenAlert(
          id: alert.id, kind: alert.kind, state: alert.state, age: now - alert.pressed,
          deliveries: outbox.deliveries(of: alert.id))
      },
      contacts: config?.contacts.map(\.name) ?? [], source: configSource,
      warnings: configuration?.warnings ?? [], clock: clock.date(of: now), version: identity.version)
  }

  var headline: Headline {
    Headline(
      problems: problems, isAlerting: book.isAlerting, isTesting: test != nil,
      gps: gpsState, pending: outbox.pendingCount)
  }

  /// Sends the line when it changed.
  mutating func tellStatus() {
    guard isReady, !isStopping else { return }
    // After every event, so it is compared before it is put into words.
    let present = headline
    isTrustTold = clock.reading.trusted
    guard present != toldHeadline else { return }
    toldHeadline = present
    // Not all of it need show in the line.
    let line = present.line
    guard line != toldLine else { return }
    toldLine = line
    act(.notify(.status(line)))
  }

  private var configSource: Configuration.Source {
    guard let configuration else { return .file }
    return configuration.isOutdated ? .lastGood : configuration.source
  }

  private var buttonStatus: Status.Button {
    guard let button else { return Status.Button(state: .none, line: nil, isSeen: false) }
    let isSeen = buttonHistory.seen == button.settings.fingerprint
    guard case .watched(let link) = button.link else {
      return Status.Button(state: .unavailable, line: nil, isSeen: isSeen)
    }
    let state: Status.Button.State =
      button.isNoisy ? .noisy : button.isStuck ? .stuck : button.isPressed ? .pressed : .ready
    return Status.Button(state: state, line: link.description, isSeen: isSeen)
  }

  private var problems: [Problem] {
    var found: [Problem] = []
    if let button {
      if case .missing(let failure, _, _) = button.link { found.append(.buttonUnavailable(failure)) }
      if button.isStuck { found.append(.buttonStuck) }
      if button.isNoisy { found.append(.buttonNoisy) }
    } else {
      found.append(.noButton)
    }
    if configuration?.source == .lastGood {
      let faults = configuration?.problems ?? []
      found.append(.configBroken(first: faults.first ?? "it cannot be read", count: faults.count))
    } else if configuration?.isOutdated == true {
      found.append(.configOutdated)
    }
    if isStoreMissed { found.append(.notDurable("the disk has not answered since the start")) }
    if let failure = ledger.failure { found.append(.notDurable(failure)) }
    if let problem = ledger.durabilityProblem { found.append(.notDurable(problem)) }
    found += unreached
    let wall = clock.date(of: now)
    if !online.troubles.isEmpty {
      found += online.troubles.sorted { $0.key < $1.key }.map {
        .serviceTrouble(subject: $0.key, reason: $0.value)
      }
    }
    if let problem = online.clock.problem { found.append(.clockWrong(problem)) }
    if !wall.trusted, wall.local.year < Self.releaseYear { found.append(.clockUnset(year: wall.local.year)) }
    if let button, let seen = buttonHistory.seen, seen != button.settings.fingerprint {
      found.append(.buttonNotSeen)
    }
    if let trouble = gps.trouble { found.append(.gpsDisconnected(trouble)) }
    if let list = geocoder?.placesTrouble {
      // As long as one of the two tells where the wearer is, the other is not worth a visit.
      let service = geocoder?.settings.service
      let server = service.flatMap { service in
        online.addressTrouble.map { "\(service.rawValue): \($0)" }
      }
      if service == nil || server != nil {
        found.append(.noAddresses(server: server, list: list))
      }
    }
    if !faults.isEmpty { found += faults.sorted { $0.key < $1.key }.map { .fault($0.value) } }
    return found
  }

  /// A problem for each contact whom a whole round did not reach.
  private var unreached: [Problem] {
    outbox.unreached.map { delivery in
      let (contact, reason) = (delivery.contact.name, delivery.lastError ?? "")
      return delivery.state == .refused
        ? .refused(contact: contact, reason: reason) : .notReached(contact: contact, reason: reason)
    }
  }
}
