/// A message that is stored, or about to be, and waits for an address.
struct AddressWait: Hashable, Sendable {
  var key: Delivery.Key
  var until: BootTime
  /// Whether the disk has it, or has had its time: only the address is missing.
  var isStored = false
}

/// Addresses: looked up while the button is still down, and never waited for longer than the owner allows.
///
/// To call the geocoder, the compiler copies it first, even where there is none: what every press comes by looks before.
extension Engine {
  mutating func useGeocoder(_ settings: GeocoderSettings?) {
    geocoder = settings.map(Geocoder.init)
    tryPlaces()
  }

  /// Tells early whether the list can be read.
  mutating func tryPlaces() {
    guard let settings = geocoder?.settings, let search = geocoder?.probe() else { return }
    act(.searchPlaces(search, .nowhere, file: settings.places))
  }

  /// What a message tells that is made now.
  var factsWithAddress: Facts {
    let position = self.position
    return Facts(
      position: position, battery: charge,
      address: geocoder == nil ? nil : position.fix.flatMap { geocoder?.address(of: $0) })
  }

  /// Begins to find out what the present place is called. `online` is for calls for help alone.
  mutating func lookUpAddress(online: Bool) {
    guard geocoder != nil, let contacts = configuration?.config.contacts, let fix = position.fix else {
      return
    }
    var languages: [Language] = []
    for contact in contacts where !languages.contains(contact.language) { languages.append(contact.language) }
    guard let (search, spot) = geocoder?.look(for: fix, languages: languages, online: online, at: now)
    else { return }
    if let path = geocoder?.settings.places { act(.searchPlaces(search, spot, file: path)) }
  }

  /// A message that was just queued waits for the address of its place, if one may still come.
  @inline(never)
  mutating func awaitAddress(_ delivery: Delivery) {
    guard let geocoder, let fix = delivery.facts.position.fix, delivery.kind != .allClear else { return }
    let until = (geocoder.lookedAt ?? now) + geocoder.settings.deadline
    guard until > now, geocoder.isAwaited(fix, in: delivery.contact.language) else { return }
    addressWaits.append(AddressWait(key: delivery.key, until: until))
  }

  mutating func advanceAddresses() {
    if geocoder != nil { askForAddresses() }
    if !addressWaits.isEmpty { settleAddresses() }
  }

  @inline(never)
  private mutating func askForAddresses() {
    while let question = geocoder?.nextQuestion(at: now) { ask(question) }
  }

  private mutating func ask(_ question: GeocoderQuestion) {
    guard let settings = geocoder?.settings, let service = settings.service else { return }
    let id = newExchangeID()
    geocoder?.asking(question, as: id)
    log(.debug, "geocoder: asking \(service.rawValue) in \(question.language.rawValue)")
    act(.send(id, question.request(service, settings), timeout: Geocoder.timeout, caFile: nil))
  }

  /// Returns false when that exchange asked for no address.
  mutating func addressAnswered(_ id: ExchangeID, _ result: Result<Response, TransportFailure>) -> Bool {
    guard geocoder != nil, let question = geocoder?.question(of: id), let service = geocoder?.settings.service
    else {
      return false
    }
    let answer: GeocoderAnswer =
      switch result {
      case .success(let response): GeocoderAnswer(response, to: question, from: service)
      case .failure(let failure): .failed(reason: failure.kind.rawValue, after: nil)
      }
    let isNews = geocoder?.answered(id, answer, at: now) ?? false
    switch answer {
    case .failed(let reason, _): log(isNews ? .warning : .debug, "geocoder: no address: \(reason)")
    case .address, .nothing:
      online.addressesProven()
      if isNews { log(.notice, "geocoder: answers again") }
    }
    return true
  }

  mutating func placeFound(_ search: Int, _ result: Result<NearestPlace?, PlacesFile.Fault>) {
    guard geocoder?.found(search, result) == true, let geocoder else { return }
    // Beside a server the list is a help that nobody has to install.
    let level: LogLine.Level = geocoder.settings.service == nil ? .warning : .info
    log(
      level,
      geocoder.placesTrouble.map { "geocoder: \($0)" } ?? "geocoder: the list of places can be read again")
  }

  /// Lets go the messages whose address is there, or will not come in time.
  @inline(never)
  private mutating func settleAddresses() {
    var settled: [AddressWait] = []
    addressWaits.removeAll { wait in
      guard let delivery = outbox[wait.key], let fix = delivery.facts.position.fix, wait.until > now,
        geocoder?.isAwaited(fix, in: delivery.contact.language) == true
      else {
        settled.append(wait)
        return true
      }
      return false
    }
    for wait in settled {
      addAddress(to: wait.key)
      if wait.isStored { run(outbox.release(wait.key, at: now)) }
    }
  }

  /// The facts of a message that nobody has seen yet gain the address.
  private mutating func addAddress(to key: Delivery.Key) {
    guard let fix = outbox[key]?.facts.position.fix, let address = geocoder?.address(of: fix),
      outbox.addAddress(address, to: key), let delivery = outbox[key]
    else { return }
    if key.sequence == 0 {
      book.addAddress(address, to: key.alertID)
      keep(alertID: key.alertID)
    }
    keep(delivery)
  }

  /// The next thing about addresses; nil when nothing is due.
  @inline(__always)
  var addressDeadline: BootTime? {
    var next = geocoder == nil ? nil : geocoder?.nextDeadline
    for wait in addressWaits { next = earliest(next, wait.until) }
    return next
  }
}
