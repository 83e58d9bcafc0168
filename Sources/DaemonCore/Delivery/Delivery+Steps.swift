/// What events make of one delivery.
extension Delivery {
  /// When it is to go on by itself; nil when only an event moves it.
  func deadline(expire: Duration) -> BootTime? {
    let expiry = created + expire
    switch phase {
    case .held, .storing, .ended: return nil
    case .waiting(let until): return min(until, expiry)
    case .trying: return min(companyDue(after: Outbox.slow) ?? expiry, expiry)
    }
  }

  mutating func release(at now: BootTime) -> [Outbox.Effect] {
    guard phase == .storing else { return [] }
    phase = .trying
    return advance(at: now, fraction: 0)
  }

  /// Starts the next route of the round, or ends the round.
  mutating func advance(at now: BootTime, fraction: Double) -> [Outbox.Effect] {
    guard phase == .trying else { return [] }
    let newest = newestStart
    if let newest, now - newest < Outbox.slow { return [] }
    if let index = nextRoute(at: now) {
      routes[index].state = .inFlight(since: now)
      attempts = min(attempts + 1, 1_000_000)
      if !state.isTaken { route = routes[index].route.gateway }
      return [.attempt(key, routes[index].route)]
    }
    guard newest == nil else { return [] }
    if routes.allSatisfy({ $0.state == .weak }) { return end(as: state.isTaken ? state : .accepted) }
    endRound(at: now, fraction: fraction)
    return []
  }

  mutating func attemptFinished(
    by route: Route, _ outcome: Outcome, at now: BootTime, cap: Duration, fraction: Double
  ) -> [Outbox.Effect] {
    guard let index = routes.firstIndex(where: { $0.route.isSame(as: route) }) else {
      // The route went away with a reload while the try was under way: its success still counts.
      guard case .accepted(let acceptance) = outcome, !(isEnded && state.isTaken) else { return [] }
      if acceptance.strong || isEnded { return accept(by: route) }
      state = .accepted
      self.route = route.gateway
      return [.changed(key)]
    }
    routes[index].settle(outcome, at: now, cap: cap)
    if case .accepted(let acceptance) = outcome, let name = acceptance.receipt {
      receipt = Receipt(route: route, name: name)
    }
    if isEnded {
      // The answer came after the cancel or the expiry: what is known counts.
      if case .accepted = outcome, !state.isTaken { return accept(by: route) }
      return []
    }
    switch outcome {
    case .accepted(let acceptance) where acceptance.strong:
      return accept(by: route)
    case .accepted:
      state = .accepted
      self.route = route.gateway
    case .retry(let reason, _), .refused(let reason):
      lastError = "\(route.gateway): \(reason)"
      if !state.isTaken { self.route = route.gateway }
    }
    return advance(at: now, fraction: fraction) + [.changed(key)]
  }

  mutating func fateLearned(
    by route: Route, _ fate: Fate, at now: BootTime, cap: Duration, fraction: Double
  ) -> [Outbox.Effect] {
    guard state == .accepted || state == .delivered else { return [] }
    switch fate {
    case .unknown:
      return []
    case .delivered, .acknowledged:
      state = fate == .delivered ? .delivered : .acknowledged
      return [.changed(key)]
    case .failed(let outcome):
      guard let index = routes.firstIndex(where: { $0.route.isSame(as: route) }) else { return [] }
      routes[index].settle(outcome, at: now, cap: cap)
      state = .pending
      phase = .trying
      if case .retry(let reason, _) = outcome { lastError = "\(route.gateway): \(reason)" }
      if case .refused(let reason) = outcome { lastError = "\(route.gateway): \(reason)" }
      return advance(at: now, fraction: fraction) + [.changed(key)]
    }
  }

  mutating func expire() -> [Outbox.Effect] {
    isEnded ? [] : end(as: state.isTaken ? state : .expired)
  }

  mutating func end(as state: DeliveryState) -> [Outbox.Effect] {
    self.state = state
    phase = .ended
    return [.changed(key), .ended(key)]
  }

  private mutating func accept(by route: Route) -> [Outbox.Effect] {
    self.route = route.gateway
    // A weak route may have told more meanwhile.
    return end(as: state.isTaken ? state : .accepted)
  }

  mutating func reconfigured(_ config: Config, at now: BootTime, hurry: Bool) {
    let isGone = routes.contains { config.gateways.named($0.route.gateway) == nil }
    if isGone, let present = config.contacts.first(where: { $0.id == key.contactID }) {
      replaceRoutes(by: present.routes)
    }
    for index in routes.indices {
      if case .refused = routes[index].state { routes[index].state = .ready }
    }
    if hurry, case .waiting = phase {
      phase = .waiting(until: now)
      if state == .refused { state = .pending }
    } else if phase == .trying, newestStart == nil {
      // The only try under way is by a route that is gone: its answer will move nothing on.
      phase = .waiting(until: now)
    }
  }
}
