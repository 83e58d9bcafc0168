import DaemonCore
import Glibc

/// Carries out what the Engine says, in order, deciding nothing.
final class ActionRunner {
  let button = ButtonSource()
  /// Set while the line floods; the loop clears it when the timer fires.
  var isButtonResting = false
  /// Set when the loop is to end.
  private(set) var exitStatus: Int32?

  private let http: HTTPClient
  private let gps: GpsSource
  private let battery: BatterySource
  private let places: PlacesSource
  private let store: OutboxStore
  private let control: ControlSocket
  private let notifier: SystemdNotifier
  private let directories: Directories
  private var log = Log()
  /// Told to the service manager with the next `flush`.
  private var status: Notification?
  private var stored: [(name: String, descriptor: Int32)]
  private var storedName: String?

  init(
    http: HTTPClient, gps: GpsSource, battery: BatterySource, places: PlacesSource, store: OutboxStore,
    control: ControlSocket, notifier: SystemdNotifier, stored: [(name: String, descriptor: Int32)],
    directories: Directories
  ) {
    self.http = http
    self.gps = gps
    self.battery = battery
    self.places = places
    self.store = store
    self.control = control
    self.notifier = notifier
    self.stored = stored
    self.directories = directories
  }

  /// Returns what the actions led to at once.
  func run(_ actions: [Action], at now: BootTime) -> [Event] {
    var answers: [Event] = []
    for action in actions { run(action, at: now, &answers) }
    return answers
  }

  /// Does what could wait until the messages had left: the log and the status line.
  func flush() {
    log.flush()
    if let status { notifier.send(status) }
    status = nil
  }

  private func run(_ action: Action, at now: BootTime, _ answers: inout [Event]) {
    switch action {
    case .log(let line): log.write(line)
    case .store(let batch, let writes): store.enqueue(batch: batch, writes)
    case .prune(let pruning): store.prune(pruning)
    case .readHistory(let client, let alertID): store.readHistory(client, alertID: alertID)
    case .keepConfig(let kept, let text): store.keepConfig(kept, text: text)
    case .send(let id, let request, let timeout, let caFile):
      http.start(id, request, timeout: timeout, caFile: caFile)
    case .probe(let id, let request, let timeout, let caFile, let connectsOnly):
      http.start(id, request, timeout: timeout, caFile: caFile, connectOnly: connectsOnly)
    case .openButton(let settings): answers += openButton(settings, at: now)
    case .closeButton: closeButton()
    case .restButton: isButtonResting = true
    case .markReleased: ReleasedMark.write(now, in: directories)
    case .markPressed: ReleasedMark.remove(from: directories)
    case .keepEdges(let edges): KeptEdges.write(edges, in: directories)
    case .openGps(let host, let port, let generation):
      gps.open(host: host, port: port, generation: generation)
    case .closeGps: gps.close()
    case .searchPlaces(let search, let spot, let file): answers += places.search(search, spot, in: file)
    case .readBatteries: battery.read()
    case .reply(let client, let line, let last): control.reply(client, line, last: last)
    case .notify(.status(let line)): status = .status(line)
    case .notify(let notification):
      flush()
      notifier.send(notification)
    case .exit(let status): exitStatus = status
    }
  }

  /// A descriptor that the service manager kept for this very line is the button; any other is given back.
  private func openButton(_ settings: ButtonSettings, at now: BootTime) -> [Event] {
    isButtonResting = false
    let name = ButtonSource.storedName(for: settings)
    let kept = stored
    stored = []
    var adopted: ButtonLink?
    for entry in kept {
      if adopted == nil, entry.name == name || entry.name == "button" {
        adopted = button.adopt(entry.descriptor, settings)
        storedName = adopted == nil ? nil : entry.name
        if adopted == nil { notifier.forget(named: entry.name) }
      } else {
        notifier.forget(named: entry.name)
        Glibc.close(entry.descriptor)
      }
    }
    let begun = KeptEdges.take(from: directories)
    if var link = adopted {
      link.lastSeenReleased = ReleasedMark.read(from: directories)
      return [.buttonOpened(link)] + since(begun, link)
    }
    switch button.open(settings) {
    case .success(var link):
      link.lastSeenReleased = ReleasedMark.read(from: directories)
      if let descriptor = button.descriptor { notifier.keep(descriptor, named: name) }
      storedName = name
      return [.buttonOpened(link)]
    case .failure(let error):
      return [.buttonFailed(error.failure)]
    }
  }

  /// What an adopted line did, in one report: a press that began in the run before may have ended since.
  private func since(_ begun: [Edge], _ link: ButtonLink) -> [Event] {
    switch button.drain() {
    case .edges(let later, let level, let lost): [.edges(begun + later, level: level, lost: lost)]
    case nil: begun.isEmpty ? [] : [.edges(begun, level: link.pressed, lost: false)]
    case let event?: [event]
    }
  }

  private func closeButton() {
    button.close()
    if let name = storedName { notifier.forget(named: name) }
    storedName = nil
  }
}
