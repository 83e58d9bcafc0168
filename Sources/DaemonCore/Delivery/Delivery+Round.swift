/// One round through the routes of a delivery.
extension Delivery {
  /// When the latest try still under way began; nil when none is.
  var newestStart: BootTime? {
    var newest: BootTime?
    for index in routes.indices {
      if case .inFlight(let since) = routes[index].state { newest = max(newest ?? since, since) }
    }
    return newest
  }

  /// When the next route is to be started beside one that is slow; nil when no other is left.
  func companyDue(after slow: Duration) -> BootTime? {
    guard let start = newestStart else { return nil }
    var due: BootTime?
    for index in routes.indices {
      switch routes[index].state {
      case .ready: due = earliest(due, max(start + slow, routes[index].notBefore ?? start))
      case .refused(let until): due = earliest(due, max(start + slow, until))
      case .inFlight, .failed, .weak: break
      }
    }
    return due
  }

  /// The route to try next: in order, a refused one whose rest is over last; nil when the round is through.
  func nextRoute(at now: BootTime) -> Int? {
    let ready = routes.firstIndex { $0.state == .ready && ($0.notBefore.map { now >= $0 } ?? true) }
    if let ready { return ready }
    return routes.firstIndex { progress in
      if case .refused(let until) = progress.state { return now >= until }
      return false
    }
  }

  mutating func beginRound() {
    phase = .trying
    for index in routes.indices where routes[index].state == .failed { routes[index].state = .ready }
  }

  /// The gateway that a new round would begin with; empty when every route rests.
  func gatewayOfNextRound(at now: BootTime) -> String {
    var next = self
    next.beginRound()
    return next.nextRoute(at: now).map { routes[$0].route.gateway } ?? ""
  }

  /// Every route has failed: when to begin again, and what to call it meanwhile.
  mutating func endRound(at now: BootTime, fraction: Double) {
    isUnreached = !state.isTaken
    var refusals: [BootTime] = []
    var notBefore: [BootTime] = []
    for progress in routes {
      switch progress.state {
      case .refused(let until): refusals.append(until)
      case .failed, .ready: notBefore.append(progress.notBefore ?? now)
      case .inFlight, .weak: break
      }
    }
    guard let soonest = notBefore.min() else {
      if !state.isTaken { state = .refused }
      phase = .waiting(until: max(refusals.min() ?? now + RetryPolicy.refusal, now + RetryPolicy.floor))
      return
    }
    if !state.isTaken { state = .pending }
    round = min(round + 1, 1_000_000)
    let wait = RetryPolicy.wait(round: round, spent: now - created, fraction: fraction)
    phase = .waiting(until: max(soonest, now + wait))
  }

  /// Takes the contact's present routes, keeping what is known of those that stayed.
  mutating func replaceRoutes(by present: [Route]) {
    routes = present.map { route in
      routes.first { $0.route.isSame(as: route) } ?? RouteProgress(route: route)
    }
  }
}

extension RouteProgress {
  /// Takes in how a try ended.
  mutating func settle(_ outcome: Outcome, at now: BootTime, cap: Duration) {
    trouble = outcome.reason
    switch outcome {
    case .accepted:
      state = .weak
      notBefore = nil
    case .retry(_, let after):
      state = .failed
      notBefore = after.map { now + min(max($0, .zero), cap) }
    case .refused:
      state = .refused(until: now + RetryPolicy.refusal)
      notBefore = nil
    }
  }
}

extension Route {
  /// Whether both reach the same address by the same gateway, whatever the key.
  package func isSame(as other: Route) -> Bool {
    gateway == other.gateway && to == other.to
  }
}
