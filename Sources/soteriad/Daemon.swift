import CCurl
import CSystem
import DaemonCore
import Glibc

/// The one loop: waits, reads the time once, hands what happened to the Engine and does what it says.
///
/// The button is read before anything else and before any timer, so that a press and its release that were
/// both queued are seen in their own order, not in the order of the wake-up.
final class Daemon {
  private let directories: Directories
  private let configPath: String
  private let http: HTTPClient
  private let gps: GpsSource
  private let battery: BatterySource
  private let places: PlacesSource
  private let signals: SignalSource
  private var network = NetworkWatch()
  private let devices = DeviceWatch()
  private let configWatch: ConfigWatch
  private let store: OutboxStore
  private let control: ControlSocket
  private let timer: Int32
  private let clockSteps: Int32
  /// The timer and what is rare.
  private let rare: DescriptorSet
  private let runner: ActionRunner
  private var engine: Engine
  /// Spreads retries and keeps ids apart; nothing in them is a secret, so one seed from the kernel is enough.
  private var seeds: Entropy
  private var idleWakes: [Int32: Int] = [:]
  private var muted: Set<Int32> = []
  private var armed: BootTime?
  private var wallClock = WallClockReader()

  /// A descriptor that is ready this often in a row with nothing to do is broken.
  private static let idleWakeLimit = 10
  /// For shorter waits the timer is not set: most of them end before their time, as that for the disk.
  private static let shortWait = Duration.seconds(1)
  /// How long the store may take for what is left at the end; the service manager waits for 5 s.
  private static let flushLimit = Duration.seconds(3)

  init(configPath: String, directories: Directories) throws(SystemError) {
    self.configPath = configPath
    self.directories = directories
    let stored = SystemdNotifier.takeStored()
    signals = try SignalSource()
    sot_malloc_frugal()
    guard let http = HTTPClient(bundlesIn: directories.runtime) else {
      throw SystemError("cannot set up libcurl")
    }
    self.http = http
    gps = try GpsSource()
    battery = try BatterySource()
    places = try PlacesSource()
    configWatch = try ConfigWatch(path: configPath)
    timer = try checked(sot_timer_create(), "cannot make a timer")
    clockSteps = try checked(sot_clock_step_create(), "cannot watch the clock")
    control = try ControlSocket(path: directories.controlSocket)
    store = try OutboxStore(stateDirectory: directories.state, runtimeDirectory: directories.runtime)
    rare = try DescriptorSet([
      timer, clockSteps, signals.descriptor, gps.openDescriptor, battery.descriptor, places.descriptor,
      configWatch.finishedDescriptor, configWatch.descriptor, network?.descriptor ?? -1,
      devices?.descriptor ?? -1,
    ])
    let notifier = SystemdNotifier()
    var kernel = SystemRandomNumberGenerator()
    seeds = Entropy(high: kernel.next(), low: kernel.next())
    engine = Engine(
      identity: Engine.Identity(
        version: soteriadVersion, bootID: directories.bootID, pingInterval: notifier.pingInterval))
    runner = ActionRunner(
      http: http, gps: gps, battery: battery, places: places, store: store, control: control,
      notifier: notifier, stored: stored, directories: directories)
  }

  /// Runs until it is told to stop. Returns the exit status.
  func run() -> Int32 {
    store.start()
    let start = Clocks.now
    feed(.clockRead(wallClock.read(at: start)), at: start)
    feed(.configRead(ConfigFile.readWithFallback(configPath, state: directories.state)), at: start)
    while runner.exitStatus == nil { pass() }
    runner.flush()
    _ = store.stop(within: Self.flushLimit)
    control.remove()
    return runner.exitStatus ?? 0
  }

  private func pass() {
    let limit = arm()
    // A message that waits for the disk leaves before the log and the status are written.
    if !engine.isMessageWaiting { runner.flush() }
    var entries = entriesToWatch
    http.wait(for: &entries, limit: limit)
    let now = Clocks.now
    // One or two at a time: hashing them would cost more than it saves.
    var ready = entries.compactMap { $0.ready ? $0.fd : nil }
    if ready.contains(rare.descriptor) { ready += rare.ready }
    feed(.clockRead(wallClock.read(at: now)), at: now)

    if ready.contains(timer) {
      sot_counter_drain(timer)
      armed = nil
    }
    let isDue = engine.nextDeadline.map { now >= $0 } ?? false
    if isDue { runner.isButtonResting = false }
    if !runner.isButtonResting, let descriptor = runner.button.descriptor {
      let event = runner.button.drain()
      feed(event.map { [$0] } ?? [], from: ready.contains(descriptor) ? descriptor : nil, at: now)
    }
    if isDue { feed(.deadline, at: now) }

    // Before the answers to old messages, each of which can begin another.
    for descriptor in ready where control.owns(descriptor) {
      for event in control.ready(descriptor) { feed(event, at: now) }
    }
    if ready.contains(store.descriptor) { feed(store.drain(), from: store.descriptor, at: now) }
    for (id, result) in http.perform() { feed(.responded(id, result), at: now) }
    if let session = gps.sessionDescriptor, ready.contains(session) {
      // Lines that are not reports are no events, so this descriptor is not judged by its events.
      for event in gps.readable() { feed(event, at: now) }
    }
    if ready.contains(rare.descriptor) { takeRareEvents(ready, at: now) }
  }

  private func takeRareEvents(_ ready: [Int32], at now: BootTime) {
    if ready.contains(gps.openDescriptor) { gps.openFinished().map { feed($0, at: now) } }
    if ready.contains(signals.descriptor) {
      for request in signals.drain() {
        switch request {
        case .reload: feed(.configRead(ConfigFile.read(configPath)), at: now)
        case .stop: feed(.stopRequested, at: now)
        }
      }
    }
    if ready.contains(configWatch.descriptor) { configWatch.drain() }
    if ready.contains(configWatch.finishedDescriptor) { configWatch.finished().map { feed($0, at: now) } }
    if ready.contains(places.descriptor) { places.finished().map { feed($0, at: now) } }
    if ready.contains(battery.descriptor) { battery.finished().map { feed($0, at: now) } }
    if let descriptor = network?.descriptor, ready.contains(descriptor), network?.drain() == true {
      feed(.networkChanged, at: now)
    }
    if let devices, ready.contains(devices.descriptor), devices.drain() {
      if runner.button.isGone { feed(.buttonVanished, at: now) }
      feed(.devicesChanged, at: now)
    }
    if ready.contains(clockSteps), sot_clock_step_rearm(clockSteps) {
      wallClock.doubt()
      feed(.clockRead(wallClock.read(at: now)), at: now)
      feed(.clockStepped, at: now)
    }
  }

  private var entriesToWatch: [sot_poll_entry] {
    var entries: [sot_poll_entry] = []
    entries.reserveCapacity(16)
    entries.append(sot_poll_entry(rare.descriptor))
    entries.append(sot_poll_entry(store.descriptor))
    if !runner.isButtonResting, let button = runner.button.descriptor {
      entries.append(sot_poll_entry(button))
    }
    if let session = gps.sessionDescriptor { entries.append(sot_poll_entry(session)) }
    control.forEachDescriptor { entries.append(sot_poll_entry($0, wantsWrite: $1)) }
    if !muted.isEmpty { entries.removeAll { muted.contains($0.fd) } }
    return entries
  }

  /// Hands events to the Engine; a descriptor that keeps waking the loop for nothing is no longer watched.
  private func feed(_ events: [Event], from descriptor: Int32?, at now: BootTime) {
    for event in events { feed(event, at: now) }
    guard let descriptor else { return }
    guard events.isEmpty else {
      if !idleWakes.isEmpty { idleWakes[descriptor] = nil }
      return
    }
    idleWakes[descriptor, default: 0] += 1
    if idleWakes[descriptor] == Self.idleWakeLimit {
      muted.insert(descriptor)
      feed(
        .shellFault(name: "descriptor \(descriptor)", problem: "a descriptor is ready without end: ignored"),
        at: now)
    }
  }

  private func feed(_ event: Event, at now: BootTime) {
    // A new line's descriptor may bear the number of an old one that was given up.
    if case .buttonOpened = event { (muted, idleWakes) = ([], [:]) }
    let random = Entropy(high: seeds.next(), low: seeds.next())
    // What an action leads to at once (the line was opened) is an event of its own, after this one's actions.
    for answer in runner.run(engine.handle(event, at: now, entropy: random), at: now) {
      feed(answer, at: now)
    }
  }

  /// Sets the timer to the Engine's deadline, when that has changed. Where it only moved away, as with every report,
  /// the timer stays as long as it is further off than it is early: it is set again before it rings, and should it
  /// ring, nothing is due and it is set then.
  ///
  /// Returns how long to wait where that is so short that the timer need not be set for it. That time does not run
  /// while the system is suspended, which delays the deadline by no more than that.
  private func arm() -> Duration? {
    let deadline = engine.nextDeadline
    guard deadline != armed else { return nil }
    if let deadline {
      let now = Clocks.now
      let left = deadline - now
      if left < Self.shortWait { return max(.zero, left) }
      if let armed, armed < deadline, armed - now > deadline - armed { return nil }
    }
    armed = deadline
    _ = sot_timer_set(timer, deadline.map { max(1, $0.nanoseconds) } ?? 0)
    return nil
  }
}

extension sot_poll_entry {
  fileprivate init(_ descriptor: Int32, wantsWrite: Bool = false) {
    self.init(fd: descriptor, wants_write: wantsWrite, ready: false)
  }
}
