// Covers: DaemonCore/Position/KeptPosition.swift
// Covers: DaemonCore/Records/Alert+Record.swift
// Covers: DaemonCore/Records/Delivery+Record.swift
// Covers: DaemonCore/Records/Facts+Record.swift
// Covers: DaemonCore/Records/Notes+Record.swift
// Covers: DaemonCore/Records/RecordTime.swift
// Covers: DaemonCore/Status/History.swift
// Covers: DaemonCore/Status/Status+JSON.swift
// Covers: DaemonCore/Status/Status+Text.swift
@testable import DaemonCore

/// What a store holds, a document a line behind a letter for its table: as it was written, by another version, or spoilt
/// by the disk. Whatever it is, the daemon starts, raises an alert, delivers it, and tells of everything.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  var state = StoredState()
  while !input.isEmpty {
    let table = input.byte()
    let document = input.text(upTo: 0x0A)
    switch table {
    case UInt8(ascii: "a").asInt: state.alerts.append(document)
    case UInt8(ascii: "d").asInt: state.deliveries.append(document)
    case UInt8(ascii: "p").asInt: state.notes[.position] = document
    case UInt8(ascii: "b").asInt: state.notes[.button] = document
    default: state.damage.append(document)
    }
  }
  check(state)
  live(with: state)
}

/// What can be read is written as it was.
private func check(_ state: StoredState) {
  let identity = Engine.Identity(version: "0", bootID: "boot-1")
  let now = BootTime(nanoseconds: 60_000_000_000)
  for document in state.alerts {
    guard let alert = Alert(document: document, identity: identity, now: now) else { continue }
    let again = Alert(document: alert.document(identity: identity, now: now), identity: identity, now: now)
    require(
      again?.id == alert.id && again?.pressed == alert.pressed && again?.state == alert.state, "\(alert)")
    require(alert.pressed <= now && alert.lastPress <= now, "an alert of the future: \(alert)")
  }
  let history = History(alerts: state.alerts, deliveries: state.deliveries)
  require(!history.text.isEmpty, "a history that says nothing")
  require(JSON(parsing: history.json.encoded) == history.json, "a history that is read otherwise")
}

private func live(with state: StoredState) {
  var shell = Shell()
  shell.feed(.configRead(.good(config, text: "{}", warnings: [])))
  shell.feed(.buttonOpened(ButtonLink(description: "line 17", pressed: false, adopted: false)))
  shell.feed(.gpsOpened(generation: shell.gpsGeneration))
  shell.load(state)
  shell.command(.status)
  shell.command(.press(drill: false, wait: .seconds(5)))
  shell.feed(.gpsReported(GpsReport(mode: 3, latitude: 1, longitude: 2)))
  shell.feed(.clockStepped)
  for round in 0..<8 {
    if round == 3 { shell.store(0, fails: true) }
    while round != 3, !shell.batches.isEmpty { shell.store(0, fails: false) }
    while !shell.exchanges.isEmpty {
      shell.respond(0) { _ in .success(Response(status: round.isMultiple(of: 3) ? 503 : 200)) }
    }
    if round == 5 { press(&shell) }
    shell.wakeOnTime()
    shell.wait(.seconds(round * 40))
  }
  shell.command(.alerts(id: nil))
  shell.tellHistory(alerts: state.alerts, deliveries: state.deliveries)
  shell.command(.status)
  shell.command(.cancel)
  shell.wait(.seconds(8 * 86_400))
  shell.wake()
  shell.stop()
}

private func press(_ shell: inout Shell) {
  for pressed in [true, false] {
    shell.feed(.edges([Edge(pressed: pressed, at: shell.now)], level: pressed, lost: false))
    shell.wait(.milliseconds(100))
    shell.wake()
  }
}

private let config: Config = {
  let text = """
    { "button": { "line": "GPIO17" }, "alert": { "updates": {} },
      "gateways": { "hook": { "type": "webhook", "url": "https://h.example/" } },
      "contacts": [ { "name": "Mum", "routes": [ { "gateway": "hook" } ] } ] }
    """
  guard let config = ConfigDecoder.decode(Array(text.utf8)).config else { fatalError("no configuration") }
  return config
}()

extension UInt8 {
  fileprivate var asInt: Int { Int(self) }
}
