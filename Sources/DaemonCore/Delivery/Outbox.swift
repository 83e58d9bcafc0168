/// Every delivery that has not ended, and which route of which is to be tried when.
///
/// Storage knows nothing of timing and this nothing of requests: it says `attempt`, and hears `attemptFinished`.
package struct Outbox: Sendable {
  package enum Effect: Hashable, Sendable {
    /// Send it by this route now.
    case attempt(Delivery.Key, Route)
    /// What is known of it changed: put it on disk.
    case changed(Delivery.Key)
    /// It ended, with its `state`.
    case ended(Delivery.Key)
  }

  /// A route that has not answered for this long gets the next one started beside it.
  package static let slow = Duration.seconds(5)
  /// Network changes and clock steps make everything due at most this often.
  package static let hurryInterval = Duration.seconds(10)
  /// Within how much time all pending deliveries start after a restart or when the network is back.
  package static let startJitter = Duration.seconds(2)
  package static let hurryJitter = Duration.milliseconds(500)

  /// Tries by one gateway that begin new rounds at most; beyond that what is due waits for one of them to end. What
  /// was just made does not: it leaves at once.
  package static let mostAtOnce = 16

  package private(set) var deliveries: [Delivery.Key: Delivery] = [:]
  private var index = OutboxIndex()
  package private(set) var settings = DeliverySettings()
  private var hurriedAt: BootTime?
  private var hurryAgainAt: BootTime?

  package init() {}

  package subscript(key: Delivery.Key) -> Delivery? { deliveries[key] }

  /// Everything not ended, oldest first.
  package var pending: [Delivery] { live.compactMap { deliveries[$0] } }

  private var live: [Delivery.Key] {
    index.sorted(deliveries.lazy.filter { !$0.value.isEnded }.map(\.key))
  }

  package var pendingCount: Int { index.pendingCount }

  /// For each contact whom a whole round did not reach, the oldest delivery of which that is true.
  package var unreached: [Delivery] { index.firstMissed.compactMap { deliveries[$0] } }

  /// Whether anything of that alert has not ended.
  package func isPending(alertID: String) -> Bool { index.pendingCount(ofAlert: alertID) > 0 }

  /// In order of arrival, so that equal inputs give equal outputs.
  package func deliveries(of alertID: String) -> [Delivery] {
    index.keys(ofAlert: alertID).compactMap { deliveries[$0] }
  }

  package mutating func add(_ delivery: Delivery) { put(delivery) }

  private mutating func put(_ delivery: Delivery) {
    let old = deliveries.updateValue(delivery, forKey: delivery.key)
    index.changed(delivery.key, from: old, to: delivery, due: deadline(of: delivery))
  }

  /// Forgets everything about alerts that are over.
  package mutating func forget(alertID: String) {
    for key in index.keys(ofAlert: alertID) {
      index.changed(key, from: deliveries.removeValue(forKey: key), to: nil, due: nil)
    }
    index.forget(alertID: alertID)
  }

  /// When `advance` is wanted. What waits for its gateway to have room is not among it: the answer that makes room
  /// comes as an event.
  package var nextDeadline: BootTime? { earliest(hurryAgainAt, index.nextDeadline) }

  private func deadline(of delivery: Delivery) -> BootTime? {
    let expiry = delivery.created + settings.expire
    switch delivery.phase {
    case .ended: return nil
    case .held, .storing: return nil
    case .waiting(let until): return min(until, expiry)
    case .trying:
      return min(delivery.companyDue(after: Self.slow) ?? expiry, expiry)
    }
  }

  /// The disk has it, or has had its time: the delivery leaves at once.
  package mutating func release(_ key: Delivery.Key, at now: BootTime) -> [Effect] {
    guard var delivery = deliveries[key], delivery.phase == .storing else { return [] }
    delivery.phase = .trying
    return advance(delivery, at: now, fraction: 0)
  }

  /// The place of a message got a name. Returns false when that comes too late for the message.
  package mutating func addAddress(_ address: Whereabouts, to key: Delivery.Key) -> Bool {
    guard var delivery = deliveries[key], delivery.addAddress(address) else { return false }
    put(delivery)
    return true
  }

  /// The cancel window is over. While the disk owes an answer, `release` lets it go.
  package mutating func windowOver(_ key: Delivery.Key, isStored: Bool, at now: BootTime) -> [Effect] {
    guard var delivery = deliveries[key], delivery.phase == .held else { return [] }
    delivery.phase = .storing
    delivery.state = .pending
    put(delivery)
    return isStored ? release(key, at: now) : []
  }

  /// A delivery read back at start: due after a little jitter, its routes untried in this run. A held one
  /// stays held until `windowOver`.
  package mutating func resume(_ delivery: Delivery, at now: BootTime, fraction: Double) {
    var resumed = delivery
    if !resumed.isEnded, resumed.phase != .held {
      resumed.phase = .waiting(until: now + Self.startJitter * fraction)
      resumed.isResumed = true
      resumed.isUnreached = resumed.lastError != nil && !resumed.state.isTaken
    }
    add(resumed)
  }

  /// Time passed: starts what is due, gives slow routes company, ends what expired.
  package mutating func advance(to now: BootTime, entropy: inout Entropy) -> [Effect] {
    var effects: [Effect] = []
    if let again = hurryAgainAt, now >= again { effects += hurry(at: now, entropy: &entropy) }
    for key in index.takeDue(at: now) {
      guard let delivery = deliveries[key] else { continue }
      if now >= delivery.created + settings.expire {
        effects += expire(key)
      } else if case .waiting(let until) = delivery.phase {
        index.enqueue(key, for: delivery.gatewayOfNextRound(at: now), due: until)
      } else {
        effects += advance(delivery, at: now, fraction: entropy.fraction())
      }
    }
    return effects + beginRounds(at: now, entropy: &entropy)
  }

  /// Starts rounds of what is due while its gateway has room, unless something new is about to leave: that goes first.
  private mutating func beginRounds(at now: BootTime, entropy: inout Entropy) -> [Effect] {
    guard index.storingCount == 0 else { return [] }
    var effects: [Effect] = []
    for gateway in index.busyGateways {
      while index.underWay[gateway, default: 0] < Self.mostAtOnce, let key = index.dequeue(for: gateway) {
        // It may have been cancelled, taken or hurried meanwhile.
        guard var delivery = deliveries[key], case .waiting(let until) = delivery.phase, until <= now else {
          continue
        }
        if now >= delivery.created + settings.expire {
          effects += expire(key)
          continue
        }
        delivery.beginRound()
        effects += advance(delivery, at: now, fraction: entropy.fraction())
      }
    }
    return effects
  }

  /// The network or the clock came back: what waits is tried at once, at most every ten seconds; a change
  /// within that time is remembered, because the first one often comes before the address does.
  package mutating func hurry(at now: BootTime, entropy: inout Entropy) -> [Effect] {
    if let last = hurriedAt, now - last < Self.hurryInterval {
      hurryAgainAt = last + Self.hurryInterval
      return []
    }
    hurriedAt = now
    hurryAgainAt = nil
    for key in live {
      guard var delivery = deliveries[key], case .waiting(let until) = delivery.phase else { continue }
      guard delivery.state != .refused else { continue }
      delivery.round = 0
      delivery.phase = .waiting(until: min(until, now + entropy.span(below: Self.hurryJitter)))
      put(delivery)
    }
    return []
  }

  /// A try by one route came to an end.
  package mutating func attemptFinished(
    _ key: Delivery.Key, by route: Route, _ outcome: Outcome, at now: BootTime, fraction: Double
  ) -> [Effect] {
    guard var delivery = deliveries[key] else { return [] }
    guard let index = delivery.routes.firstIndex(where: { $0.route.isSame(as: route) }) else {
      // The route went away with a reload while the try was under way: its success still counts.
      guard case .accepted(let acceptance) = outcome, !(delivery.isEnded && delivery.state.isTaken) else {
        return []
      }
      if acceptance.strong || delivery.isEnded { return accept(delivery, by: route) }
      delivery.state = .accepted
      delivery.route = route.gateway
      put(delivery)
      return [.changed(key)]
    }
    delivery.routes[index].settle(outcome, at: now, cap: settings.retryAfterMax)
    if case .accepted(let acceptance) = outcome, let name = acceptance.receipt {
      delivery.receipt = Receipt(route: route, name: name)
    }
    if delivery.isEnded {
      // The answer came after the cancel or the expiry: what is known counts.
      if case .accepted = outcome, !delivery.state.isTaken { return accept(delivery, by: route) }
      put(delivery)
      return []
    }
    switch outcome {
    case .accepted(let acceptance) where acceptance.strong:
      return accept(delivery, by: route)
    case .accepted:
      delivery.state = .accepted
      delivery.route = route.gateway
    case .retry(let reason, _), .refused(let reason):
      delivery.lastError = "\(route.gateway): \(reason)"
      if !delivery.state.isTaken { delivery.route = route.gateway }
    }
    return advance(delivery, at: now, fraction: fraction) + [.changed(key)]
  }

  /// The service told what became of a message it had taken.
  package mutating func fateLearned(
    _ key: Delivery.Key, by route: Route, _ fate: Fate, at now: BootTime, fraction: Double
  ) -> [Effect] {
    guard var delivery = deliveries[key], delivery.state == .accepted || delivery.state == .delivered else {
      return []
    }
    switch fate {
    case .unknown:
      return []
    case .delivered, .acknowledged:
      delivery.state = fate == .delivered ? .delivered : .acknowledged
      put(delivery)
      return [.changed(key)]
    case .failed(let outcome):
      guard let index = delivery.routes.firstIndex(where: { $0.route.isSame(as: route) }) else { return [] }
      delivery.routes[index].settle(outcome, at: now, cap: settings.retryAfterMax)
      delivery.state = .pending
      delivery.phase = .trying
      if case .retry(let reason, _) = outcome { delivery.lastError = "\(route.gateway): \(reason)" }
      if case .refused(let reason) = outcome { delivery.lastError = "\(route.gateway): \(reason)" }
      return advance(delivery, at: now, fraction: fraction) + [.changed(key)]
    }
  }

  /// Nothing more is sent of it; what is under way is left to finish.
  package mutating func cancel(_ key: Delivery.Key) -> [Effect] {
    guard let delivery = deliveries[key], !delivery.isEnded else { return [] }
    return end(delivery, as: .cancelled)
  }

  /// Gives up on a delivery before its time.
  package mutating func expire(_ key: Delivery.Key) -> [Effect] {
    guard let delivery = deliveries[key], !delivery.isEnded else { return [] }
    return end(delivery, as: delivery.state.isTaken ? delivery.state : .expired)
  }

  /// The configuration changed: routes that are gone are replaced, refused ones are tried at once.
  package mutating func reconfigured(_ config: Config, at now: BootTime, hurry: Bool = true) {
    settings = config.delivery
    for key in live {
      guard var delivery = deliveries[key], !delivery.isEnded else { continue }
      let isGone = delivery.routes.contains { config.gateway(named: $0.route.gateway) == nil }
      if isGone, let present = config.contacts.first(where: { $0.id == key.contactID }) {
        delivery.replaceRoutes(by: present.routes)
      }
      for index in delivery.routes.indices {
        if case .refused = delivery.routes[index].state { delivery.routes[index].state = .ready }
      }
      if hurry, case .waiting = delivery.phase {
        delivery.phase = .waiting(until: now)
        if delivery.state == .refused { delivery.state = .pending }
      } else if delivery.phase == .trying, delivery.newestStart == nil {
        // The only try under way is by a route that is gone: its answer will move nothing on.
        delivery.phase = .waiting(until: now)
      }
      put(delivery)
    }
  }

  private mutating func accept(_ accepted: Delivery, by route: Route) -> [Effect] {
    var delivery = accepted
    delivery.route = route.gateway
    // A weak route may have told more meanwhile.
    return end(delivery, as: delivery.state.isTaken ? delivery.state : .accepted)
  }

  private mutating func end(_ ending: Delivery, as state: DeliveryState) -> [Effect] {
    var delivery = ending
    delivery.state = state
    delivery.phase = .ended
    put(delivery)
    return [.changed(delivery.key), .ended(delivery.key)]
  }

  /// Starts the next route of the round, or ends the round.
  private mutating func advance(_ advancing: Delivery, at now: BootTime, fraction: Double) -> [Effect] {
    var delivery = advancing
    guard delivery.phase == .trying else {
      put(delivery)
      return []
    }
    if let since = delivery.newestStart, now - since < Self.slow {
      put(delivery)
      return []
    }
    if let index = delivery.nextRoute(at: now) {
      delivery.routes[index].state = .inFlight(since: now)
      delivery.attempts = min(delivery.attempts + 1, 1_000_000)
      if !delivery.state.isTaken { delivery.route = delivery.routes[index].route.gateway }
      put(delivery)
      return [.attempt(delivery.key, delivery.routes[index].route)]
    }
    if delivery.newestStart == nil {
      if delivery.routes.allSatisfy({ $0.state == .weak }) {
        return end(delivery, as: delivery.state.isTaken ? delivery.state : .accepted)
      }
      delivery.endRound(at: now, fraction: fraction)
    }
    put(delivery)
    return []
  }
}
