/// Once a day every service is asked whether the credentials are good and the contacts known, so that the status
/// tells of trouble before the emergency does. Nothing is sent to anyone.
extension Engine {
  mutating func advanceOnlineCheck() {
    guard let config = configuration?.config else { return }
    guard let due = online.due else { return online.plan(after: OnlineWatch.first, from: now, &entropy) }
    guard now >= due, online.asked.isEmpty else { return }
    // What is under way tells more, and needs the network for itself.
    guard book.current == nil, outbox.pendingCount == 0 else {
      return online.plan(after: OnlineWatch.soon, from: now, &entropy)
    }
    online.began()
    for probe in OnlineProbe.all(in: config) {
      let id = newExchangeID()
      online.asked[id] = probe
      act(
        .probe(
          id, probe.request, timeout: probe.timeout, caFile: probe.settings.caFile,
          connectsOnly: probe.connectsOnly))
    }
    online.plan(after: OnlineWatch.daily, from: now, &entropy)
  }

  /// Whether the answer was to such a question.
  mutating func heardOnline(_ id: ExchangeID, _ result: Result<Response, TransportFailure>) -> Bool {
    guard let probe = online.asked.removeValue(forKey: id) else { return false }
    switch online.heard(probe, result, wall: clock.date(of: now)) {
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

  mutating func heard(
    _ probe: OnlineProbe, _ result: Result<Response, TransportFailure>, wall: WallTime
  ) -> Finding {
    if let error = probe.clockError(in: result, wall: wall) { clockErrors.append(error) }
    guard let problem = probe.problem(in: result) else {
      unreached.remove(probe.name)
      return troubles.removeValue(forKey: probe.name) == nil ? .nothing : .recovered
    }
    if case .failure(let failure) = result, failure.isOfTheWay, unreached.insert(probe.name).inserted {
      return .nothing
    }
    let known = troubles.updateValue(problem, forKey: probe.name)
    return known == problem ? .nothing : .news(problem)
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
