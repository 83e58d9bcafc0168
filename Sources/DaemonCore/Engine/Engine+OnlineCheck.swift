/// Once a day every service is asked whether the credentials are good and the contacts known, and whether addresses
/// can be told, so that the status tells of trouble before the emergency does. Nothing is sent to anyone.
extension Engine {
  mutating func advanceOnlineCheck() {
    guard let config = configuration?.config else { return }
    guard let due = online.due else { return online.plan(after: OnlineWatch.first, from: now, &entropy) }
    guard now >= due, online.asked.isEmpty else { return }
    // What is under way tells more, and needs the network for itself.
    guard !book.isAlerting, outbox.pendingCount == 0 else {
      return online.plan(after: OnlineWatch.soon, from: now, &entropy)
    }
    online.began()
    tryPlaces()
    for probe in OnlineProbe.all(in: config.value) where online.mayAsk(probe, at: now) {
      let id = newExchangeID()
      online.asked[id] = probe
      act(
        .probe(
          id, probe.request, timeout: probe.timeout, caFile: probe.caFile,
          connectsOnly: probe.connectsOnly))
    }
    online.plan(after: OnlineWatch.daily, from: now, &entropy)
  }

  /// Whether the answer was to such a question.
  mutating func heardOnline(_ id: ExchangeID, _ result: Result<Response, TransportFailure>) -> Bool {
    guard let probe = online.asked.removeValue(forKey: id) else { return false }
    switch online.heard(probe, result, wall: clock.date(of: now), at: now) {
    case .news(let problem): log(.warning, "\(probe.name): \(problem)")
    case .recovered: log(.notice, "\(probe.name): works again")
    case .nothing: break
    }
    if online.asked.isEmpty {
      online.ended()
      if !online.troubles.isEmpty || !online.unreached.isEmpty {
        online.plan(after: OnlineWatch.soon, from: now, &entropy)
      }
    }
    return true
  }
}

/// When the services are asked, and what they said.
struct OnlineWatch: Sendable {
  /// After a start or a reload there is other work first.
  static let first = Duration.seconds(600)
  static let daily = Duration.seconds(86_400)
  /// What is wrong, or could not be asked, is asked again.
  static let soon = Duration.seconds(900)

  enum Finding: Hashable, Sendable {
    case nothing
    case news(String)
    case recovered
  }

  private(set) var due: BootTime?
  var asked: [ExchangeID: OnlineProbe] = [:]
  /// By the probe's name.
  private(set) var troubles: [String: String] = [:]
  /// What the geocoder answered with; nil where it answers.
  private(set) var addressTrouble: String?
  /// When the geocoder answered last, well or not.
  private var addressHeardAt: BootTime?
  /// Whether it could not be reached the last time. Not worth asking every gateway again before tomorrow.
  private var isAddressUnreached = false
  /// Those that could not be reached the last time: a tunnel is no trouble, twice in a row is.
  private(set) var unreached: Set<String> = []
  private(set) var clock = ClockVerdict.untold
  private var clockErrors: [Int64] = []

  /// Up to half as long again, so that many devices do not ask together.
  mutating func plan(after span: Duration, from now: BootTime, _ entropy: inout Entropy) {
    due = now + span + entropy.span(below: span / 2)
  }

  mutating func began() {
    clockErrors = []
  }

  mutating func ended() {
    clock = ClockVerdict(errors: clockErrors)
  }

  /// A new configuration: what was found belongs to the old one.
  mutating func reset() {
    self = OnlineWatch()
  }

  /// A message was taken: whatever was wrong with that gateway is not any more.
  mutating func proven(_ gateway: String) {
    troubles[gateway] = nil
    unreached.remove(gateway)
  }

  /// Somebody was told an address.
  mutating func addressesProven() { addressTrouble = nil }

  /// A geocoder that has answered, even with an error, is not asked again along with gateways that are in trouble.
  func mayAsk(_ probe: OnlineProbe, at now: BootTime) -> Bool {
    guard probe.isOfAddresses, let addressHeardAt else { return true }
    return now - addressHeardAt >= Self.daily
  }

  mutating func heard(
    _ probe: OnlineProbe, _ result: Result<Response, TransportFailure>, wall: WallTime, at now: BootTime
  ) -> Finding {
    if let error = probe.clockError(in: result, wall: wall) { clockErrors.append(error) }
    let problem = probe.problem(in: result)
    switch result {
    case .failure(let failure) where failure.isOfTheWay && probe.isOfAddresses:
      defer { isAddressUnreached = true }
      if !isAddressUnreached { return .nothing }
    case .failure(let failure) where failure.isOfTheWay:
      if unreached.insert(probe.name).inserted { return .nothing }
    case .failure: break
    case .success:
      unreached.remove(probe.name)
      if probe.isOfAddresses { (addressHeardAt, isAddressUnreached) = (now, false) }
    }
    let known: String?
    if probe.isOfAddresses {
      (known, addressTrouble) = (addressTrouble, problem)
    } else {
      known = troubles[probe.name]
      troubles[probe.name] = problem
    }
    return known == problem ? .nothing : problem.map(Finding.news) ?? .recovered
  }
}

extension TransportFailure {
  /// Whether a network that comes and goes explains it.
  fileprivate var isOfTheWay: Bool {
    switch kind {
    case .resolving, .connecting, .timedOut, .broken: true
    case .securing, .misconfigured: false
    }
  }
}
