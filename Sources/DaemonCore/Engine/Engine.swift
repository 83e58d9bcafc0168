/// The daemon's mind: composes the small machines, hears every event, says every action.
///
/// A value without a clock, a file or a random source: the same events at the same times with the same entropy
/// give the same actions. Calling it early or for nothing is harmless.
///
/// For a call from what changes it to what only looks, the compiler copies all of it, 1.8 kB; where every press comes
/// by, what looks is `@inline(__always)`.
package struct Engine: Sendable {
  /// What stays the same for the whole run.
  package struct Identity: Hashable, Sendable {
    package var version: String
    /// Source: /proc/sys/kernel/random/boot_id.
    package var bootID: String
    /// How often to ping the watchdog; nil without one.
    package var pingInterval: Duration?

    package init(version: String, bootID: String, pingInterval: Duration? = nil) {
      self.version = version
      self.bootID = bootID
      self.pingInterval = pingInterval
    }
  }

  /// How long a configuration must have run with its line requested to be called proven.
  package static let provenAfter = Duration.seconds(600)
  /// How far the clock and a receiver's time may be apart to agree, milliseconds: reports take over a second.
  static let clockTolerance: Int64 = 3000
  /// From when on a battery's charge is asked for anew.
  static let chargeAge = Duration.seconds(60)
  /// A deadline that is further off is not looked for again when a report may have moved it away. Long enough for a
  /// receiver that reports every ten seconds to move away what it keeps off, before anybody wakes for it.
  static let planAhead = Duration.seconds(20)

  /// When `handle(.deadline)` is wanted at the latest; nil when nothing is due.
  package private(set) var nextDeadline: BootTime?
  /// Whether a message waits for the disk: what can be done later is done when it has left.
  package private(set) var isMessageWaiting = false

  let identity: Identity
  var now = BootTime.zero
  var entropy = Entropy(high: 0, low: 0)
  var actions: [Action] = []
  /// Rows to put on disk at the end of this event, and the messages that wait for them.
  var writes: [StoreWrite] = []
  /// Alerts whose rows are to be among them, as they are then.
  var changedAlerts: [String] = []
  var gated: [Delivery.Key] = []

  var clock = WallClock(reading: WallTime(milliseconds: 0, utcOffset: 0, trusted: false), readAt: .zero)
  var configuration: Configuration?
  var button: ButtonMonitor?
  var buttonHistory = ButtonHistory()
  var fixes = FixStore()
  var gps = GpsLink()
  var rubbish = 0
  var isReceiverTimeTold = false
  /// Whether a receiver's time agreed with the wall clock, which has not been set since.
  var isClockConfirmed = false
  /// In percent; nil where no battery tells.
  var charge: Int?
  var chargeAskedAt: BootTime?
  var geocoder: Geocoder?
  var addressWaits: [AddressWait] = []
  var book = AlertBook()
  var outbox = Outbox()
  var exchanges: [ExchangeID: Exchange] = [:]
  var fates: [FateWatch] = []
  /// Which of them each question is of.
  var fateExchanges: [ExchangeID: Int] = [:]
  var nextFate = 1
  var nextExchange = 1
  var online = OnlineWatch()
  var ledger = StoreLedger()
  var isStoreLoaded = false
  var early: [EarlyRequest] = []
  /// When the first event came.
  var startedAt: BootTime?
  var test: ButtonTest?
  var pressWaits: [PressWait] = []
  /// Which alert each client asked the store about.
  var historyAsked: [ClientID: String] = [:]
  var faults: [String: String] = [:]
  var endedSincePrune = 0
  var isReady = false
  var isStopping = false
  var pingAt: BootTime?
  var toldHeadline: Headline?
  /// Whether the clock was trusted then.
  var isTrustTold = false
  var toldLine = ""

  package init(identity: Identity) {
    self.identity = identity
  }

  /// Takes in what happened at `now` and says what to do about it, in order.
  package mutating func handle(_ event: Event, at now: BootTime, entropy: Entropy) -> [Action] {
    self.now = max(now, self.now)
    startedAt = startedAt ?? self.now
    self.entropy = entropy
    take(event)
    // The clock is read before everything else: nothing may settle while the button's edges are still unread.
    if case .clockRead = event {
      flush()
      // Nothing is due at another time by a clock that was read, unless it dated an alert.
      if actions.isEmpty { return [] }
    } else {
      askForCharge()
      let isDue = isDue(with: event)
      if isDue { advance() }
      flush()
      if !isDue, actions.isEmpty, isAsBefore { return [] }
      tellStatus()
    }
    planNext()
    isMessageWaiting = ledger.isHolding
    defer { actions = [] }
    return actions
  }

  /// Reports come every second, and what they change is changed by then; all else has a deadline.
  @inline(__always)
  private func isDue(with event: Event) -> Bool {
    guard case .gpsReported = event, let nextDeadline else { return true }
    return now >= nextDeadline
  }

  /// Whether what was told and planned still holds after a report that led to nothing, as nearly all do: of what is
  /// told it changes the position's state alone, and deadlines it moves away, but for the first of a session.
  @inline(__always)
  private var isAsBefore: Bool {
    guard isTrustTold, clock.reading.trusted, toldHeadline?.gps == gpsState else { return false }
    guard let nextDeadline, nextDeadline - now > Self.planAhead else { return false }
    return gps.nextDeadline.map { $0 >= nextDeadline } ?? true
  }

  /// Finds out when the next thing is due.
  @inline(never)  // What it looks at would lie on the stack below everything else.
  private mutating func planNext() {
    var next = earliest(outbox.nextDeadline, ledger.nextDeadline)
    next = earliest(next, gps.nextDeadline)
    next = earliest(next, button?.nextDeadline(at: now))
    next = earliest(next, pingAt)
    next = earliest(next, addressDeadline)
    if let config = configuration?.config {
      next = earliest(
        next, book.nextDeadline(openFor: config.alert.openFor, updates: config.alert.updates))
      next = earliest(next, staleAt(config))
      next = earliest(next, provenAt)
    }
    if let test { next = earliest(next, test.nextDeadline(heldSince: button?.heldSince)) }
    for wait in pressWaits where wait.isTold { next = earliest(next, wait.until) }
    for fate in fates { next = earliest(next, fate.due) }
    // While answers are awaited nothing is asked, however late it is: they come, or their tries end.
    if online.asked.isEmpty { next = earliest(next, online.due) }
    if !early.isEmpty, let startedAt { next = earliest(next, startedAt + StoreLedger.patience) }
    if !isStoreLoaded, !isStoreMissed, let startedAt { next = earliest(next, startedAt + Self.storePatience) }
    nextDeadline = next
  }

  private mutating func take(_ event: Event) {
    switch event {
    case .clockRead(let reading): clockRead(reading)
    case .deadline: break
    case .configRead(let reading): configRead(reading)
    case .configFileChanged(let text): configFileChanged(text)
    case .edges(let edges, let level, let lost): edgesSeen(edges, level: level, lost: lost)
    case .buttonOpened(let link): buttonOpened(link)
    case .buttonFailed(let failure): buttonFailed(failure)
    case .buttonVanished: buttonVanished()
    case .devicesChanged: devicesChanged()
    case .gpsOpened(let generation): gpsOpened(generation)
    case .gpsReported(let report): gpsReported(report)
    case .gpsRubbish: gpsRubbish()
    case .gpsLost(let generation, let reason): gpsLost(generation, reason)
    case .storeLoaded(let state): storeLoaded(state)
    case .stored(let batch): stored(batch)
    case .storeFailed(let batch, let reason): storeFailed(batch, reason)
    case .storeDurability(let problem): durabilityLearned(problem)
    case .historyRead(let client, let alerts, let deliveries): historyRead(client, alerts, deliveries)
    case .batteriesRead(let charges): charge = charges.filter { (0...100).contains($0) }.max()
    case .placeFound(let search, let result): placeFound(search, result)
    case .responded(let exchange, let result): responded(exchange, result)
    case .networkChanged: hurry("network changed")
    case .clockStepped: hurry("clock set")
    case .commanded(let client, let command): commanded(client, command)
    case .clientGone(let client): clientGone(client)
    case .stopRequested: stop()
    case .shellFault(let name, let problem): shellFault(name, problem)
    }
  }

  /// Does everything that is due, whatever the event was.
  private mutating func advance() {
    heedEarly()
    if let findings = button?.advance(to: now) { heed(findings) }
    advanceTest()
    advanceGps()
    advanceAlerts()
    advanceAddresses()
    letGoOverdue()
    run(outbox.advance(to: now, entropy: &entropy))
    advanceFates()
    advanceWaits()
    advanceConfiguration()
    advanceOnlineCheck()
    if let due = pingAt, now >= due, let interval = identity.pingInterval {
      pingAt = now + interval
      act(.notify(.watchdog))
      if button?.isWatched == true, button?.isPressed == false { act(.markReleased) }
    }
  }

  mutating func act(_ action: Action) {
    actions.append(action)
  }

  mutating func log(_ level: LogLine.Level, _ text: Words) {
    actions.append(.log(LogLine(level, String(text))))
  }

  /// Asks now and then, but wakes nobody for it: a charge is as good a minute later.
  private mutating func askForCharge() {
    if let asked = chargeAskedAt, now - asked < Self.chargeAge { return }
    chargeAskedAt = now
    act(.readBatteries)
  }

  private mutating func clockRead(_ reading: WallTime) {
    let step = abs(reading.milliseconds - clock.date(of: now).milliseconds)
    if step > Self.clockTolerance { isClockConfirmed = false }
    trust(reading.trusted || isClockConfirmed, reading)
  }

  private mutating func trust(_ trusted: Bool, _ reading: WallTime) {
    let becameTrusted = trusted && !clock.reading.trusted
    clock = WallClock(reading: reading, readAt: now)
    clock.reading.trusted = trusted
    if becameTrusted { dateAlerts() }
  }

  /// A receiver that says the same proves the clock right, whoever set it, until it is set again.
  mutating func confirmClock(_ report: GpsReport) {
    guard report.mode >= 2, report.origin == .measured, let claimed = report.receiverTime else { return }
    let wall = clock.date(of: now)
    let isConfirmed = abs(claimed * 1000 - Double(wall.milliseconds)) <= Double(Self.clockTolerance)
    // What else had the clock trusted is asked again with the next reading.
    if isConfirmed != isClockConfirmed { trust(isConfirmed || wall.trusted, wall) }
    isClockConfirmed = isConfirmed
  }

  /// Says when alerts were really raised, once the clock is trusted within the same boot.
  mutating func dateAlerts() {
    guard clock.reading.trusted else { return }
    for alert in book.all where alert.bootID == identity.bootID && !alert.pressedAt.trusted {
      book.dated(alert.id, clock.date(of: alert.pressed))
      keep(alertID: alert.id)
    }
  }

  private mutating func hurry(_ reason: String) {
    guard outbox.pending.contains(where: { $0.attempts > 0 }) else { return }
    log(.info, "\(reason): trying what is pending at once")
    run(outbox.hurry(at: now, entropy: &entropy))
  }

  private mutating func shellFault(_ name: String, _ problem: String?) {
    guard faults[name] != problem else { return }
    faults[name] = problem
    if let problem {
      log(.error, "\(problem)")
    } else {
      log(.notice, "\(name): works again")
    }
  }

  private mutating func stop() {
    guard !isStopping else { return }
    isStopping = true
    // There is no later for what waits until the store was read.
    heedEarly()
    if let newest = fixes.newest { keep(newest) }
    if let edges = button?.unfinished, !edges.isEmpty { act(.keepEdges(edges)) }
    answerPresses(evenUnstored: true)
    flush()
    log(.info, "stopping; \(outbox.pendingCount) deliveries stay pending")
    act(.notify(.stopping))
    act(.exit(status: 0))
  }
}
