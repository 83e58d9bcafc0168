import DaemonCore

/// A device, its wearer, the network and the services around one daemon; time jumps from one event to the next.
///
/// It does to the Engine what `Daemon.swift` and `ActionRunner.swift` do, in the same order.
package struct World {
  private enum Item {
    case deed(Deed.What)
    case edge(pressed: Bool)
    case heard(Event, run: Int)
    case answer(Letter, Answer, run: Int)
    case diskDone(run: Int)
    case diskRetry(run: Int)
    /// The file is to be read again.
    case reload(run: Int)
    case report
    /// A service says that it could not deliver what it took.
    case disowned(Service, run: Int)
    case trustClock(boot: Int)
    case powerOn
    case serviceStart
    case look
    case heal
    case goOn
  }

  private let script: Script
  private var agenda = Agenda<Item>()
  private var mind: Saboteur
  private var rules: [any Rule]
  private var scene: Scene
  package private(set) var violation: Violation?
  /// The latest lines of the log.
  package private(set) var journal: [String] = []
  private let keepsJournal: Bool
  package private(set) var wakes = 0
  package private(set) var letters = 0

  private var now: Int64 { scene.now }
  private var machine = Machine()
  private var process = Process()
  private var runs: Int { process.runs }
  private var isRunning: Bool { process.isRunning }
  private var stalledUntil: Int64 { scene.stalledUntil }
  private var events = 0

  private var line = Line()
  private var finger = Finger()
  private var runtime = RuntimeDirectory()

  private var sky: Sky

  private var disk: Disk { scene.disk }

  private var network = Network()

  /// What the file says; nil while it has errors. What last loaded without.
  private var file: Setup?
  private var lastGood: Setup
  private var isFileInForce = true
  private var clients = 0

  package init(_ script: Script, planted: Planted? = nil, keepsJournal: Bool = false) {
    self.script = script
    self.keepsJournal = keepsJournal
    sky = Sky(wearerDeeds: script.deeds.compactMap { $0.isWearers ? ms($0.at) : nil })
    mind = Saboteur(planted, seed: script.seed)
    scene = Scene(setup: script.setup, script: script)
    // A planted fault must be found by its own rule, whatever the others say.
    rules = allRules().filter { planted == nil || type(of: $0).name == planted?.rule }
    file = script.setup
    lastGood = script.setup
  }

  /// Lives the whole script. Returns what it broke first; nil when nothing.
  package mutating func live() -> Violation? {
    for deed in script.deeds.sorted(by: { $0.at < $1.at }) { agenda.plan(.deed(deed.what), at: ms(deed.at)) }
    let end = s(script.hours * 3600)
    agenda.plan(.heal, at: end)
    agenda.plan(.report, at: s(20))
    powerOn()
    // A refused route rests for an hour, and an alert is open for half of one.
    let last = end + s(2 * 3600 + 1800)
    while violation == nil, let next = nextInstant, next <= last { pass(at: next) }
    scene.now = max(now, last)
    if violation == nil { see(.over) }
    return violation
  }

  // MARK: time

  private var nextInstant: Int64? {
    guard isRunning, let deadline = process.deadline else { return agenda.nextAt }
    let wake = max(deadline, stalledUntil)
    return agenda.nextAt.map { min($0, wake) } ?? wake
  }

  private func boot(_ instant: Int64) -> BootTime { machine.boot(instant) }

  private mutating func advance(to instant: Int64) {
    let later = max(instant, now)
    if machine.isPowered { scene.uptime += later - now }
    scene.now = later
    scene.boot = boot(later)
  }

  private mutating func dice(_ purpose: Int) -> Dice { Dice(script.seed, now, purpose) }

  /// One turn of the loop: the world moves on, then the daemon hears of it.
  private mutating func pass(at instant: Int64) {
    advance(to: instant)
    var inbox: [Item] = []
    while violation == nil, let item = agenda.take(dueBy: now) { happen(item, &inbox) }
    guard isRunning, violation == nil else { return }
    guard now >= stalledUntil else {
      for item in inbox { agenda.plan(item, at: stalledUntil) }
      return
    }
    let isDue = process.deadline.map { now >= $0 } ?? false
    if isDue { process.isResting = false }
    let hasEdges = line.hasEdges && !process.isResting
    guard isDue || hasEdges || !inbox.isEmpty else { return }
    wakes += 1
    feed(.clockRead(machine.wall(at: now)))
    if hasEdges { drainLine() }
    if isDue { feed(.deadline) }
    for item in inbox { hear(item) }
    guard isRunning, violation == nil else { return }
    let planned = mind.nextDeadline
    see(.planned(planned))
    process.deadline = planned.map { max(machine.bootedAt, machine.instant(of: $0)) }
  }

  private mutating func hear(_ item: Item) {
    switch item {
    case .heard(let event, let run):
      guard run == runs else { return }
      if case .gpsReported = event, sky.session == nil { return }
      feed(event)
    case .answer(let letter, let answer, let run):
      guard process.isAlive(run) else { return }
      see(.answered(letter, answer))
      feed(.responded(letter.id, answer.result))
    case .reload(let run): if run == runs { readFile(isStart: false) }
    default: break
    }
  }

  private mutating func feed(_ event: Event) {
    guard isRunning, violation == nil else { return }
    events += 1
    var dice = Dice(script.seed, now, events & 0xFFFF)
    var actions = mind.handle(event, at: boot(now), Entropy(high: dice.next(), low: dice.next()))
    if case .clockRead = event, actions.isEmpty { return }
    let isLast = process.burn(&actions)
    scene.isCutOff = isLast
    if case .storeLoaded(let state) = event { see(.loaded(Row.rows(of: state))) }
    see(.handled(event, actions, Row.rows(of: actions)))
    var followUps: [Event] = []
    for action in actions {
      guard violation == nil else { return }
      followUps += carryOut(action)
    }
    if isLast { return blow() }
    for event in followUps { feed(event) }
  }

  private mutating func see(_ sight: Sight) {
    for index in rules.indices {
      guard violation == nil else { return }
      if let complaint = rules[index].see(sight, scene) {
        violation = Violation(rule: type(of: rules[index]).name, complaint: complaint, at: now)
      }
    }
  }

  private mutating func note(_ line: String) {
    guard keepsJournal else { return }
    journal.append("\(now.clock) \(line)")
  }

  // MARK: power and process

  private mutating func powerOn() {
    machine.powerOn(at: now)
    scene.uptimeAtBoot[machine.bootID] = scene.uptime
    scene.uptime += Machine.firmware
    note("power on, boot \(machine.boots)")
    if !machine.isClockTrusted { agenda.plan(.trustClock(boot: machine.boots), at: now + s(40)) }
    start()
  }

  private mutating func start() {
    process.start(at: machine.bootedAt)
    mind.start(boot: machine.bootID)
    scene.boot = boot(now)
    scene.isCutOff = false
    see(.started(boot: machine.boots))
    disk.hand(.open)
    runDisk()
    feed(.clockRead(machine.wall(at: now)))
    readFile(isStart: true)
    agenda.plan(.look, at: now + s(3))
  }

  private mutating func blow() {
    guard let fuse = process.takeFuse() else { return }
    note(fuse.isPowerCut ? "the power goes" : "killed")
    end(keepingRuntime: !fuse.isPowerCut)
    if fuse.isPowerCut {
      machine.powerOff()
      agenda.plan(.powerOn, at: now + ms(fuse.back))
    } else {
      agenda.plan(.serviceStart, at: now + ms(fuse.back))
    }
  }

  private mutating func end(keepingRuntime: Bool) {
    process.end()
    var dice = dice(1)
    disk.lose(keepingRuntime: keepingRuntime, &dice)
    tellSynced()
    sky.session = nil
    if !keepingRuntime {
      runtime = RuntimeDirectory()
      closeLine()
    }
    see(.ended)
  }

  private mutating func stopInOrder() {
    guard isRunning else { return }
    feed(.stopRequested)
  }

  private mutating func readFile(isStart: Bool) {
    isFileInForce = file != nil
    lastGood = file ?? lastGood
    if isStart || isFileInForce { scene.setup = lastGood }
    let reading: ConfigReading =
      isFileInForce
      ? .good(lastGood.config, text: "", warnings: [])
      : .broken(
        problems: ["soteria.json:1:1: error"],
        fallback: isStart ? .init(config: lastGood.config, text: "") : nil)
    feed(.configRead(reading))
  }

  // MARK: what happens

  private mutating func happen(_ item: Item, _ inbox: inout [Item]) {
    switch item {
    case .deed(let what): act(out: what, &inbox)
    case .edge(let pressed): edge(pressed)
    case .heard, .answer, .reload: inbox.append(item)
    case .diskDone(let run):
      if process.isAlive(run) { finishDisk() }
    case .diskRetry(let run):
      guard process.isAlive(run) else { return }
      disk.hand(.retry)
      runDisk()
    case .report: report(&inbox)
    case .trustClock(let boot):
      guard boot == machine.boots, machine.isPowered, !machine.isClockTrusted else { return }
      guard network.isUp else { return agenda.plan(item, at: now + s(64)) }
      machine.setClock()
      inbox.append(.heard(.clockStepped, run: runs))
    case .disowned(let service, let run): if process.isAlive(run) { see(.disowned(service)) }
    case .powerOn: powerOn()
    case .serviceStart: if machine.isPowered, !isRunning { start() }
    case .look: look()
    case .heal: heal(&inbox)
    case .goOn: break
    }
  }

  private mutating func act(out what: Deed.What, _ inbox: inout [Item]) {
    note("--- \(what)")
    agenda.plan(.look, at: now + s(2))
    agenda.plan(.look, at: now + s(25))
    switch what {
    case .press(let held, let bounces): press(held, bounces)
    case .spike(let width): plan(finger.spike(at: now, width: Int64(width) * 1000))
    case .flood(let lasting): flood(ms(lasting))
    case .command(let drill): command(.press(drill: drill, wait: nil), &inbox)
    case .cancel: command(.cancel, &inbox)
    case .askHistory: command(.alerts(id: nil), &inbox)
    case .service(let service, let now): network.weather[service] = now
    case .network(let up):
      if up, !network.isUp { inbox.append(.heard(.networkChanged, run: runs)) }
      network.isUp = up
    case .names(let resolve): network.doNamesResolve = resolve
    case .gpsd(let next): change(next, &inbox)
    case .receiver(let next): sky.receiver = next
    case .disk(let health): change(health)
    case .clockStep(let seconds):
      machine.stepClock(by: seconds)
      agenda.plan(.trustClock(boot: machine.boots), at: now + s(40))
      inbox.append(.heard(.clockStepped, run: runs))
    case .reload(let setup):
      file = setup
      reload(&inbox)
    case .breakFile:
      file = nil
      reload(&inbox)
    case .crash(let actions, let back):
      if isRunning { process.plan(.init(left: actions, isPowerCut: false, back: back)) }
    case .powerCut(let actions, let back):
      guard machine.isPowered else { return }
      process.plan(.init(left: isRunning ? actions : 0, isPowerCut: true, back: back))
      if !isRunning { blow() }
    case .restart: inbox.append(.heard(.stopRequested, run: runs))
    case .stall(let lasting):
      scene.stalledUntil = max(stalledUntil, now + ms(lasting))
      agenda.plan(.goOn, at: stalledUntil)
    case .chip(let present): change(chip: present, &inbox)
    }
  }

  private mutating func heal(_ inbox: inout [Item]) {
    note("--- everything works")
    process.spare()
    network = Network()
    inbox.append(.heard(.networkChanged, run: runs))
    change(Gpsd.running, &inbox)
    sky.receiver = .walking
    change(Disk.Health.fine)
    change(chip: true, &inbox)
    file = file ?? lastGood
    if !machine.isPowered { powerOn() } else if !isRunning { start() }
    reload(&inbox)
    see(.healed)
    agenda.plan(.look, at: now + s(2 * 3600))
  }

  private mutating func reload(_ inbox: inout [Item]) {
    guard isRunning else { return }
    inbox.append(.reload(run: runs))
  }

  private mutating func command(_ command: Command, _ inbox: inout [Item]) {
    clients += 1
    inbox.append(.heard(.commanded(ClientID(number: clients), command), run: runs))
  }

  private mutating func look() {
    guard isRunning, now >= stalledUntil else { return }
    see(
      .asked(
        StatusSight(
          status: mind.statusJSON, isLineWatched: line.isWatched, isFileInForce: isFileInForce,
          isHeldLong: line.level && now - line.levelSince > s(1) && !process.isResting)))
  }
}

// MARK: - the button

extension World {
  private mutating func press(_ held: Int, _ bounces: Int) {
    guard let press = finger.press(at: now, held: held, bounces: bounces) else { return }
    plan(press.moves)
    see(.finger(down: press.down, up: press.up))
  }

  private mutating func flood(_ lasting: Int64) {
    let moves = finger.flood(at: now, lasting: lasting)
    guard !moves.isEmpty else { return }
    plan(moves)
    see(.doubt(until: finger.busyUntil + s(6)))
  }

  private mutating func plan(_ moves: [Finger.Move]) {
    for move in moves { agenda.plan(.edge(pressed: move.pressed), at: move.at) }
  }

  private mutating func edge(_ pressed: Bool) {
    guard line.set(pressed, at: now, boot(now)) else { return }
    see(.doubt(until: now + s(1)))
  }

  private mutating func drainLine() {
    feed(.edges(line.drain(), level: line.level, lost: false))
  }

  private mutating func openLine() -> [Event] {
    let events = line.open(lastSeenReleased: runtime.released, begun: runtime.takeEdges())
    see(line.isOpen ? .lineOpened : .lineClosed)
    return events
  }

  private mutating func closeLine() {
    line.close()
    see(.lineClosed)
  }

  private mutating func change(chip present: Bool, _ inbox: inout [Item]) {
    guard present != line.isChipPresent else { return }
    line.isChipPresent = present
    see(.doubt(until: now + s(1)))
    if !present, line.isOpen {
      if !isRunning { closeLine() }
      inbox.append(.heard(.buttonVanished, run: runs))
    }
    inbox.append(.heard(.devicesChanged, run: runs))
  }
}

// MARK: - the receiver

extension World {
  private mutating func report(_ inbox: inout [Item]) {
    agenda.plan(.report, at: sky.nextReport(after: now))
    guard isRunning, let event = sky.report() else { return }
    inbox.append(.heard(event, run: runs))
  }

  private mutating func change(_ next: Gpsd, _ inbox: inout [Item]) {
    if let event = sky.change(next) { inbox.append(.heard(event, run: runs)) }
  }

  private mutating func openGps(_ generation: Int) {
    let (event, after) = sky.open(generation)
    agenda.plan(.heard(event, run: runs), at: now + after)
  }
}

// MARK: - the disk

extension World {
  private mutating func change(_ health: Disk.Health) {
    if disk.change(to: health) { agenda.plan(.diskDone(run: runs), at: now + ms(30)) }
    runDisk()
  }

  private mutating func runDisk() {
    var dice = dice(2)
    guard isRunning, let span = disk.begin(&dice) else { return }
    agenda.plan(.diskDone(run: runs), at: now + span)
  }

  private mutating func finishDisk() {
    var dice = dice(3)
    guard let (events, retryAt) = disk.finish(at: now, &dice) else { return }
    tellSynced()
    for event in events { agenda.plan(.heard(event, run: runs), at: now) }
    if let retryAt { agenda.plan(.diskRetry(run: runs), at: retryAt) }
    runDisk()
  }

  private mutating func tellSynced() {
    let writes = disk.takeSynced()
    guard !writes.isEmpty else { return }
    see(.synced(writes))
  }
}

// MARK: - what the daemon says

extension World {
  private mutating func carryOut(_ action: Action) -> [Event] {
    switch action {
    case .log(let line): if keepsJournal { note("<\(line.level.rawValue)> \(line.text)") }
    case .store(let batch, let writes):
      disk.hand(.batch(batch, writes))
      runDisk()
    case .prune(let pruning):
      disk.hand(.prune(pruning))
      runDisk()
    case .readHistory(let client, let id):
      disk.hand(.history(client, alertID: id))
      runDisk()
    case .keepConfig: break
    case .send(let id, let request, let timeout, _): send(id, request, timeout)
    case .probe(let id, _, _, _, _): probe(id)
    case .openButton: return openLine()
    case .closeButton: closeLine()
    case .restButton: process.isResting = true
    case .markReleased: runtime.markReleased(boot(now))
    case .markPressed: runtime.markPressed()
    case .keepEdges(let edges): runtime.keep(edges)
    case .openGps(_, _, let generation): openGps(generation)
    case .closeGps: sky.session = nil
    case .searchPlaces(let search, _, _): searchPlaces(search)
    case .reply, .notify, .readBatteries: break
    case .exit: exit()
    }
    return []
  }

  /// The shell flushes the store, then the service manager starts the next.
  private mutating func exit() {
    var dice = dice(4)
    disk.flush(&dice)
    end(keepingRuntime: true)
    process.spare()
    agenda.plan(.serviceStart, at: now + ms(300))
  }

  private mutating func send(_ id: ExchangeID, _ request: Request, _ timeout: Duration) {
    guard let service = Letter.service(of: request) else { return ask(id, request, timeout) }
    letters += 1
    let letter = Letter(id, request)
    if let letter { see(.sent(letter)) }
    var dice = Dice(script.seed, now, 1000 + id.number)
    var answer = network.answer(of: service, isQuestion: letter == nil, &dice)
    let limit = timeout.wholeNanoseconds
    let after = answer.after.map { ms($0) } ?? limit
    if after >= limit { answer.result = .failure(TransportFailure(kind: .timedOut)) }
    if let letter, answer.isTaken { see(.taken(letter)) }
    let arrives = now + min(after, limit)
    if letter == nil, network.weather[service] == .undelivered {
      agenda.plan(.disowned(service, run: runs), at: arrives)
    }
    if let letter {
      agenda.plan(.answer(letter, answer, run: runs), at: arrives)
    } else {
      agenda.plan(.heard(.responded(id, answer.result), run: runs), at: arrives)
    }
  }

  private mutating func ask(_ id: ExchangeID, _ request: Request, _ timeout: Duration) {
    guard request.url.hasPrefix(Places.settings.url) else { return }
    var dice = Dice(script.seed, now, 2000 + id.number)
    let answer = network.answerOfPlaces(&dice)
    let limit = timeout.wholeNanoseconds
    let after = min(answer.after.map { ms($0) } ?? limit, limit)
    let result = after < limit ? answer.result : .failure(TransportFailure(kind: .timedOut))
    agenda.plan(.heard(.responded(id, result), run: runs), at: now + after)
  }

  private mutating func searchPlaces(_ search: Int) {
    var dice = Dice(script.seed, now, 3000 + search)
    guard let (result, after) = Places.find(&dice) else { return }
    agenda.plan(.heard(.placeFound(search: search, result), run: runs), at: now + ms(after))
  }

  /// Nothing is sent to anyone: all that matters here is whether there is a network.
  private mutating func probe(_ id: ExchangeID) {
    var dice = Dice(script.seed, now, 1000 + id.number)
    let result: Result<Response, TransportFailure> =
      network.isUp ? .success(Response(status: 200)) : .failure(TransportFailure(kind: .connecting))
    agenda.plan(.heard(.responded(id, result), run: runs), at: now + ms(dice.within(1...3000)))
  }
}
