// Covers: DaemonCore/Alert/AlertBook.swift
// Covers: DaemonCore/Delivery/Delivery.swift
// Covers: DaemonCore/Delivery/Delivery+Round.swift
// Covers: DaemonCore/Delivery/FateWatch.swift
// Covers: DaemonCore/Delivery/Outbox.swift
// Covers: DaemonCore/Delivery/StoreLedger.swift
// Covers: DaemonCore/Engine/ButtonTest.swift
// Covers: DaemonCore/Engine/Engine.swift
// Covers: DaemonCore/Engine/Engine+Alerts.swift
// Covers: DaemonCore/Engine/Engine+Button.swift
// Covers: DaemonCore/Engine/Engine+Configuration.swift
// Covers: DaemonCore/Engine/Engine+Control.swift
// Covers: DaemonCore/Engine/Engine+Delivery.swift
// Covers: DaemonCore/Engine/Engine+Position.swift
// Covers: DaemonCore/Engine/Engine+Status.swift
// Covers: DaemonCore/Engine/Engine+Store.swift
// Covers: DaemonCore/Position/FixStore.swift
// Covers: DaemonCore/Position/GpsLink.swift
// Longest: 1200
@testable import DaemonCore

/// Everything that can happen to the daemon, in any order and at any time; `Shell` holds it to what must be so.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  var shell = Shell()
  while !input.isEmpty, !shell.hasEnded { step(&shell, &input) }
}

private func step(_ shell: inout Shell, _ input: inout Input) {
  let what = input.byte()
  switch what & 31 {
  case 0: shell.wakeOnTime()
  case 1:
    shell.wait(input.span())
    shell.wake()
  case 2: shell.wait(input.span())
  case 3: shell.feed(.configRead(configuration(what >> 5)))
  case 4: edges(&shell, &input)
  case 5: press(&shell, &input)
  case 6: shell.feed(.buttonOpened(link(&shell, &input)))
  case 7: button(&shell, what >> 5)
  case 8: shell.feed(.gpsOpened(generation: shell.gpsGeneration - what >> 7))
  case 9, 10: shell.feed(.gpsReported(report(&input)))
  case 11:
    let reason = what & 0x40 == 0 ? "connection refused" : "closed"
    shell.feed(.gpsLost(generation: shell.gpsGeneration - what >> 7, reason: reason))
  case 12: shell.store(what >> 5, fails: false)
  case 13: shell.store(what >> 5, fails: true)
  case 14: while !shell.batches.isEmpty { shell.store(0, fails: false) }
  case 15: shell.loadDisk()
  case 16, 17: respond(&shell, &input, at: what >> 5)
  case 18: while !shell.exchanges.isEmpty, !input.isEmpty { respond(&shell, &input, at: 0) }
  case 19: shell.feed(.networkChanged)
  case 20: shell.setClock(Int64(input.byte()) << 33, trusted: what & 0x20 != 0)
  case 21: shell.feed(.storeDurability(problem: what & 0x20 != 0 ? "it is on tmpfs" : nil))
  case 22: shell.feed(.shellFault(name: "netlink", problem: what & 0x20 != 0 ? "netlink: spins" : nil))
  case 23: shell.feed(.batteriesRead([what - 100, input.byte()]))
  case 24: shell.command(command(what >> 5, &input))
  case 25: shell.command(.press(drill: what & 0x20 != 0, wait: what & 0x40 != 0 ? input.span() : nil))
  case 26: shell.command(.cancel)
  case 27: shell.leave(what >> 5)
  case 28:
    shell.tellHistory(
      alerts: Array(shell.disk.alerts.values), deliveries: Array(shell.disk.deliveries.values))
  case 29:
    let text = what & 0x40 == 0 ? "{}" : "{ }"
    shell.feed(what & 0x20 == 0 ? .gpsRubbish : .configFileChanged(text: text))
  case 30: if what >> 5 == 7 { shell.stop() } else { shell.wakeOnTime() }
  default: start(&shell, what >> 5)
  }
}

/// What every start brings, as far as `parts` says.
private func start(_ shell: inout Shell, _ parts: Int) {
  shell.restart(powerCut: parts & 1 == 1)
  shell.feed(.configRead(configuration(parts >> 1 & 1)))
  if parts & 4 == 0 { shell.loadDisk() }
}

// MARK: - the configuration

private func configuration(_ number: Int) -> ConfigReading {
  let config = configs[number % configs.count]
  switch number {
  case 6: return .broken(problems: ["soteria.json:1:1: error"], fallback: .init(config: config, text: "{}"))
  case 7: return .broken(problems: ["soteria.json:1:1: error: one", "two"], fallback: nil)
  default: return .good(config, text: "{}", warnings: number == 5 ? ["a warning"] : [])
  }
}

private let configs = texts.map { text in
  let result = ConfigDecoder.decode(Array(text.replacing("SECRET", by: secretMark).utf8))
  guard let config = result.config else { fatalError("\(result.problems)") }
  return config
}

private let gateways = #"""
  "gateways": {
    "hook": { "type": "webhook", "url": "https://h.example/SECRET", "headers": { "Authorization": "SECRET" } },
    "bot": { "type": "telegram", "bot_token": "1:SECRET" },
    "sms": { "type": "twilio", "account_sid": "AC1", "auth_token": "SECRET", "from": "+15005550006" },
    "wa": { "type": "whatsapp", "phone_number_id": "1", "access_token": "SECRET",
            "template": { "name": "sos", "language": "en" } },
    "cmb": { "type": "callmebot", "api_key": "SECRET" }
  }
  """#

private let texts = [
  #"""
  { "button": { "line": "GPIO17" }, \#(gateways), "contacts": [
    { "name": "Mum", "routes": [ { "gateway": "sms", "to": "+628110000000" }, { "gateway": "hook" } ] },
    { "name": "Bo", "language": "id", "routes": [ { "gateway": "cmb", "to": "+628110000001" },
      { "gateway": "wa", "to": "+628110000001" }, { "gateway": "bot", "to": 7 } ] } ] }
  """#,
  #"""
  { "button": { "line": "GPIO17", "hold": "1s", "presses": 2, "within": "5s" },
    "alert": { "cancel_window": "10s", "open_for": "2m", "text": "{wearer} {position} {age}",
               "updates": { "every": "20s", "for": "10m" } },
    "delivery": { "expire": "5m", "attempt_timeout": "5s", "retry_after_max": "1m" }, \#(gateways), "contacts": [
    { "name": "Bo", "routes": [ { "gateway": "hook" } ] },
    { "name": "Kim", "routes": [ { "gateway": "cmb", "to": "+628110000001" } ] } ] }
  """#,
  #"""
  { "gps": { "port": 2948 }, "geocoder": { "type": "places", "deadline": "1s" },
    "gateways": { "hook": { "type": "webhook", "url": "https://h.example/SECRET" } },
    "contacts": [ { "name": "Mum", "routes": [ { "gateway": "hook" } ] } ] }
  """#,
]

// MARK: - the button

private func link(_ shell: inout Shell, _ input: inout Input) -> ButtonLink {
  let what = input.byte()
  let seen = what & 8 == 0 ? nil : Optional(shell.now - input.span())
  return ButtonLink(
    description: "line 17", pressed: what & 1 == 0 ? what & 2 != 0 : nil, adopted: what & 4 != 0,
    lastSeenReleased: seen)
}

private func edges(_ shell: inout Shell, _ input: inout Input) {
  let what = input.byte()
  var edges: [Edge] = []
  for _ in 0..<what & 15 {
    let kind = input.byte()
    edges.append(Edge(pressed: kind & 1 == 1, at: shell.now, afterLoss: kind & 0x1E == 0x1E))
    shell.wait(.microseconds(kind * 200))
  }
  shell.feed(.edges(edges, level: what & 16 == 0 ? edges.last?.pressed : nil, lost: what & 0xE0 == 0xE0))
}

/// One that counts, whatever the debounce time.
private func press(_ shell: inout Shell, _ input: inout Input) {
  for pressed in [true, false] {
    shell.feed(.edges([Edge(pressed: pressed, at: shell.now)], level: pressed, lost: false))
    shell.wait(.milliseconds(100) + input.span())
    shell.wake()
  }
}

private func button(_ shell: inout Shell, _ number: Int) {
  let failures: [ButtonFailure] = [
    .busy(line: "GPIO17", consumer: "other"), .chipMissing(wanted: "chip", present: []),
    .lineMissing(wanted: "GPIO17", detail: "none"), .failed(line: "GPIO17", reason: "no"),
  ]
  switch number {
  case 0...3: shell.feed(.buttonFailed(failures[number]))
  case 4: shell.feed(.buttonVanished)
  case 5: shell.feed(.devicesChanged)
  default: shell.feed(.edges([], level: number == 7, lost: false))
  }
}

// MARK: - what others say

private func report(_ input: inout Input) -> GpsReport {
  let what = input.byte()
  let numbers: [Double?] = [nil, .nan, .infinity, 0, -6.1754, 91, 179.9999, 1e300, -1, 360]
  var report = GpsReport(
    device: "/dev/gps\(what & 15)", mode: what >> 4 & 3, latitude: input.pick(numbers),
    longitude: input.pick(numbers),
    origin: [.measured, .deadReckoning, .simulated, .measured][what >> 6])
  if what & 8 != 0 {
    report.latitude = Double(input.byte()) / 3
    report.longitude = Double(input.byte()) / 3
  } else {
    report.accuracy = input.pick(numbers)
    report.altitude = input.pick(numbers)
    report.course = input.pick(numbers)
    report.receiverTime = input.pick(numbers + [1_796_004_907])
  }
  return report
}

private func respond(_ shell: inout Shell, _ input: inout Input, at index: Int) {
  let what = input.byte()
  shell.respond(index) { request in
    switch what & 15 {
    case 0...4: .success(Response(status: 200, body: Array(Service.asked(request).taken.utf8)))
    case 5: .failure(TransportFailure(kind: .timedOut))
    case 6: .failure(TransportFailure(kind: .broken, detail: "reset"))
    case 7: .success(Response(status: 429, headers: [Header("retry-after", "\((what >> 4) * 400)")]))
    case 8: .success(Response(status: 500 + what >> 4))
    case 9: .success(refusal(of: request))
    case 10: .success(Response(status: 200, body: Array("<html>log in".utf8)))
    case 11:
      .success(Response(status: 307, headers: [Header("location", what & 16 == 0 ? "/again" : "https://x/")]))
    case 12:
      .success(Response(status: 400, body: Array(#"{"description":"1:\#(secretMark)","ok":false}"#.utf8)))
    case 13: .success(lost())
    case 14: .success(Response(status: 200, body: Array(#"{"sid":"SM1","status":"delivered"}"#.utf8)))
    default: .success(Response(status: 200 + (what >> 4) * 20, body: Array("{}".utf8)))
    }
  }
}

/// How each service says yes, and that it never will; the owner's own says yes with anything, and cannot say the other.
private struct Service {
  var host: String
  var taken: String
  var refused: (status: Int, body: String)

  static let all = [
    Service(
      host: "telegram", taken: #"{"ok":true,"result":{}}"#,
      refused: (400, #"{"ok":false,"error_code":400,"description":"chat not found"}"#)),
    Service(host: "twilio", taken: #"{"sid":"SM1","status":"queued"}"#, refused: (400, #"{"code":21610}"#)),
    Service(
      host: "facebook", taken: #"{"messages":[{"id":"wamid.1"}]}"#,
      refused: (400, #"{"error":{"code":131026}}"#)),
    Service(host: "callmebot", taken: "Message queued.", refused: (200, "account is paused")),
    Service(host: "h.example", taken: "", refused: (400, "no")),
  ]

  static func asked(_ request: Request) -> Service {
    all.first { Array(request.url.utf8).holds($0.host) } ?? all[4]
  }
}

private func refusal(of request: Request) -> Response {
  let (status, body) = Service.asked(request).refused
  return Response(status: status, body: Array(body.utf8))
}

private func lost() -> Response {
  Response(status: 200, body: Array(#"{"sid":"SM1","status":"undelivered","error_code":30003}"#.utf8))
}

private func command(_ number: Int, _ input: inout Input) -> Command {
  switch number {
  case 0, 1: .status
  case 2, 3: .testButton(for: input.span())
  case 4: .alerts(id: nil)
  case 5: .alerts(id: "01J")
  default: .press(drill: number == 6, wait: .seconds(30))
  }
}
