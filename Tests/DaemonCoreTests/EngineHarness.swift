import Foundation
import Testing

@testable import DaemonCore

/// An instant, counted from an hour after the boot so that nothing is near zero by chance.
func at(ms milliseconds: Double) -> BootTime {
  BootTime(nanoseconds: 3_600_000_000_000 + Int64(milliseconds * 1_000_000))
}

func press(_ milliseconds: Double) -> Edge { Edge(pressed: true, at: at(ms: milliseconds)) }
func release(_ milliseconds: Double) -> Edge { Edge(pressed: false, at: at(ms: milliseconds)) }

extension ButtonSettings {
  static func sample(
    debounce: Int = 30, hold: Int = 0, presses: Int = 1, within: Int = 2000
  ) -> ButtonSettings {
    var settings = ButtonSettings(line: .offset(17))
    settings.debounce = .milliseconds(debounce)
    settings.hold = .milliseconds(hold)
    settings.presses = presses
    settings.within = .milliseconds(within)
    return settings
  }
}

/// A monitor driven through time: every edge is heard when it happens, every deadline when it is due.
struct MonitorTimeline {
  var monitor: ButtonMonitor
  var now = at(ms: 0)
  var findings: [ButtonMonitor.Finding] = []
  var wakes = 0

  init(
    _ settings: ButtonSettings = .sample(), pressed: Bool? = false, adopted: Bool = false,
    lastSeenReleased: BootTime? = nil
  ) {
    monitor = ButtonMonitor(settings: settings)
    let link = ButtonLink(
      description: "line 17", pressed: pressed, adopted: adopted, lastSeenReleased: lastSeenReleased)
    findings += monitor.opened(link, at: now)
  }

  mutating func wait(until instant: BootTime) {
    while let due = monitor.nextDeadline(at: now), due < instant {
      wakes += 1
      now = max(now, due)
      findings += monitor.advance(to: now)
      guard monitor.nextDeadline(at: now).map({ $0 > now }) ?? true else {
        Issue.record("a deadline that is over is still wanted at \(now)")
        return
      }
    }
    now = instant
    findings += monitor.advance(to: now)
  }

  mutating func hear(_ edges: [Edge]) {
    for edge in edges {
      wait(until: edge.at)
      findings += monitor.edgesSeen([edge], level: edge.pressed, lost: false, at: now)
    }
  }

  /// Everything is read in one go after a late wake-up.
  mutating func hearLate(_ edges: [Edge], level: Bool?, lost: Bool = false, at instant: BootTime) {
    now = instant
    findings += monitor.edgesSeen(edges, level: level, lost: lost, at: now)
  }

  var gestures: [BootTime] {
    findings.compactMap {
      if case .gesture(let instant) = $0 { instant } else { nil }
    }
  }

  var levels: [Bool] {
    findings.compactMap {
      if case .settled(let pressed, _, _, _) = $0 { pressed } else { nil }
    }
  }
}

/// A daemon whose disk always writes, driven through time from deadline to deadline.
struct EngineTimeline {
  var engine = Engine(identity: Engine.Identity(version: "test", bootID: "boot"))
  var now = at(ms: 0)
  var wall = WallTime(milliseconds: 1_796_004_847_000, utcOffset: 0, trusted: true)
  var actions: [Action] = []
  var wakes = 0
  static let client = ClientID(number: 1)

  init(_ settings: ButtonSettings? = .sample(), opened: Bool = true) {
    var config = Config()
    config.button = settings
    let hook = Webhook(
      url: "http://h", method: "POST", headers: [], body: .json, contentType: "application/json",
      accept: WebhookAccept())
    config.gateways = [GatewaySettings(name: "hook", type: "webhook", gateway: hook)]
    config.contacts = [Contact(name: "Mum", id: "mum", routes: [Route(gateway: "hook", to: nil)])]
    feed(.clockRead(wall))
    feed(.storeLoaded(StoredState()))
    feed(.configRead(.good(config, text: "{}", warnings: [])))
    if opened { open() }
  }

  mutating func open(pressed: Bool? = false, adopted: Bool = false, lastSeenReleased: BootTime? = nil) {
    feed(
      .buttonOpened(
        ButtonLink(
          description: "line 17", pressed: pressed, adopted: adopted, lastSeenReleased: lastSeenReleased)))
  }

  mutating func feed(_ event: Event) {
    let answers = engine.handle(event, at: now, entropy: Entropy(high: 1, low: UInt64(actions.count)))
    actions += answers
    for case .store(let batch, _) in answers { feed(.stored(batch: batch)) }
  }

  mutating func wait(until instant: BootTime) {
    while let due = engine.nextDeadline, due < instant {
      wakes += 1
      now = max(now, due)
      feed(.deadline)
      guard engine.nextDeadline.map({ $0 > now }) ?? true else {
        Issue.record("a deadline that is over is still wanted at \(now)")
        return
      }
    }
    now = instant
    feed(.deadline)
  }

  mutating func hear(_ edges: [Edge]) {
    for edge in edges {
      wait(until: edge.at)
      feed(.edges([edge], level: edge.pressed, lost: false))
    }
  }

  var alerts: [Alert] { engine.book.all }
  var logs: [LogLine] {
    actions.compactMap {
      if case .log(let line) = $0 { line } else { nil }
    }
  }

  func levels(of part: String) -> [LogLine.Level] {
    logs.filter { $0.text.contains(part) }.map(\.level)
  }

  var replies: [String] {
    actions.compactMap {
      if case .reply(_, let line, _) = $0 { line } else { nil }
    }
  }

  func count(_ matches: (Action) -> Bool) -> Int { actions.filter(matches).count }
}
