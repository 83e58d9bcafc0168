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

  private var table = DeliveryTable()
  package private(set) var settings = DeliverySettings()
  private var hurriedAt: BootTime?
  private var hurryAgainAt: BootTime?

  package init() {}

  package subscript(key: Delivery.Key) -> Delivery? { table.slot(of: key).map { table[$0] } }

  /// Of everything that is not forgotten.
  package var keys: some Collection<Delivery.Key> { table.keys }

  /// Everything not ended, oldest first.
  package var pending: [Delivery] { table.live.map { table[$0] } }

  package var pendingCount: Int { table.pendingCount }

  /// For each contact whom a whole round did not reach, the oldest delivery of which that is true.
  package var unreached: [Delivery] { table.firstMissed.map { table[$0] } }

  /// Whether anything of that alert has not ended.
  package func isPending(alertID: String) -> Bool { table.isPending(alertID: alertID) }

  /// In order of arrival, so that equal inputs give equal outputs.
  package func deliveries(of alertID: String) -> [Delivery] {
    table.slots(ofAlert: alertID).map { table[$0] }
  }

  package mutating func add(_ delivery: consuming Delivery) { table.put(delivery) }

  private mutating func change(_ key: Delivery.Key, _ change: (inout Delivery) -> [Effect]) -> [Effect] {
    guard let slot = table.slot(of: key) else { return [] }
    return table.change(slot, change)
  }

  /// Forgets everything about alerts that are over.
  package mutating func forget(alertID: String) { table.forget(alertID: alertID) }

  /// When `advance` is wanted. What waits for its gateway to have room is not among it: the answer that makes room
  /// comes as an event.
  package var nextDeadline: BootTime? { earliest(hurryAgainAt, table.nextDeadline) }

  /// The disk has it, or has had its time: the delivery leaves at once.
  package mutating func release(_ key: Delivery.Key, at now: BootTime) -> [Effect] {
    change(key) { $0.release(at: now) }
  }

  /// The place of a message got a name. Returns false when that comes too late for the message.
  package mutating func addAddress(_ address: Whereabouts, to key: Delivery.Key) -> Bool {
    guard let slot = table.slot(of: key) else { return false }
    return table.change(slot) { $0.addAddress(address) }
  }

  /// The cancel window is over. While the disk owes an answer, `release` lets it go.
  package mutating func windowOver(_ key: Delivery.Key, isStored: Bool, at now: BootTime) -> [Effect] {
    change(key) { delivery in
      guard delivery.phase == .held else { return [] }
      delivery.phase = .storing
      delivery.state = .pending
      return isStored ? delivery.release(at: now) : []
    }
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
    if let due = nextDeadline, now >= due { effects = startDue(at: now, entropy: &entropy) }
    // What is new and about to leave goes first.
    if table.isAnythingQueued, table.storingCount == 0 { effects += beginRounds(at: now, entropy: &entropy) }
    return effects
  }

  private mutating func startDue(at now: BootTime, entropy: inout Entropy) -> [Effect] {
    var effects: [Effect] = []
    if let again = hurryAgainAt, now >= again { effects += hurry(at: now, entropy: &entropy) }
    for slot in table.takeDue(at: now) {
      if now < table[slot].created + settings.expire, case .waiting(let until) = table[slot].phase {
        table.enqueue(slot, for: table[slot].gatewayOfNextRound(at: now), due: until)
      } else {
        effects += goOn(with: slot, at: now, entropy: &entropy)
      }
    }
    return effects
  }

  /// Starts rounds of what is due while its gateway has room.
  private mutating func beginRounds(at now: BootTime, entropy: inout Entropy) -> [Effect] {
    var effects: [Effect] = []
    for gateway in table.busyGateways {
      while let slot = table.dequeue(for: gateway, unless: Self.mostAtOnce) {
        // It may have been cancelled, taken or hurried meanwhile.
        guard case .waiting(let until) = table[slot].phase, until <= now else { continue }
        effects += goOn(with: slot, at: now, entropy: &entropy)
      }
    }
    return effects
  }

  /// Takes the next step of what is due, or gives it up.
  private mutating func goOn(with slot: Int, at now: BootTime, entropy: inout Entropy) -> [Effect] {
    let isOver = now >= table[slot].created + settings.expire
    let fraction = isOver ? 0 : entropy.fraction()
    return table.change(slot) { delivery in
      if isOver { return delivery.expire() }
      if case .waiting = delivery.phase { delivery.beginRound() }
      return delivery.advance(at: now, fraction: fraction)
    }
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
    for slot in table.live {
      guard case .waiting(let until) = table[slot].phase, table[slot].state != .refused else { continue }
      let soon = min(until, now + entropy.span(below: Self.hurryJitter))
      table.change(slot) { delivery in
        delivery.round = 0
        delivery.phase = .waiting(until: soon)
      }
    }
    return []
  }

  /// A try by one route came to an end.
  package mutating func attemptFinished(
    _ key: Delivery.Key, by route: Route, _ outcome: Outcome, at now: BootTime, fraction: Double
  ) -> [Effect] {
    let cap = settings.retryAfterMax
    return change(key) { $0.attemptFinished(by: route, outcome, at: now, cap: cap, fraction: fraction) }
  }

  /// The service told what became of a message it had taken.
  package mutating func fateLearned(
    _ key: Delivery.Key, by route: Route, _ fate: Fate, at now: BootTime, fraction: Double
  ) -> [Effect] {
    let cap = settings.retryAfterMax
    return change(key) { $0.fateLearned(by: route, fate, at: now, cap: cap, fraction: fraction) }
  }

  /// Nothing more is sent of it; what is under way is left to finish.
  package mutating func cancel(_ key: Delivery.Key) -> [Effect] {
    change(key) { $0.isEnded ? [] : $0.end(as: .cancelled) }
  }

  /// Gives up on a delivery before its time.
  package mutating func expire(_ key: Delivery.Key) -> [Effect] { change(key) { $0.expire() } }

  /// The configuration changed: routes that are gone are replaced, refused ones are tried at once.
  package mutating func reconfigured(_ config: Config, at now: BootTime, hurry: Bool = true) {
    settings = config.delivery
    table.expire = settings.expire
    for slot in table.live {
      table.change(slot) { $0.reconfigured(config, at: now, hurry: hurry) }
    }
  }
}
