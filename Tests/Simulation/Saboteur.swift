import DaemonCore

/// A fault that is built into the daemon to see that a rule finds it. None of them exists outside this file.
package enum Planted: String, CaseIterable, Hashable, Sendable {
  /// Edges are read and forgotten.
  case losesPresses
  /// The press is heeded again a while later.
  case doublesPresses
  /// A press raises an alert although one is open.
  case raisesBesideOpen
  /// The disk is taken to have a message before it has.
  case sendsBeforeStored
  /// What is read back at start is thrown away.
  case forgetsPending
  /// A message is taken for accepted whatever the answer.
  case believesAnyAnswer
  /// An acceptance is heard and the message sent again.
  case sendsAgain
  /// One contact waits for the others.
  case delaysOneContact
  /// A cancel tells nobody.
  case cancelsSilently
  /// The status is "armed" whatever is wrong.
  case claimsArmed
  /// What waits for the disk is not counted.
  case claimsDurable
  /// The next deadline is now.
  case spins
  /// A failed try is repeated at once.
  case hurries

  /// Which rule it breaks.
  package var rule: String {
    switch self {
    case .losesPresses, .doublesPresses: PressRule.name
    case .raisesBesideOpen: AlertRule.name
    case .sendsBeforeStored: StoredFirstRule.name
    case .forgetsPending, .believesAnyAnswer: DeliveryRule.name
    case .sendsAgain: OnceRule.name
    case .delaysOneContact: PromptRule.name
    case .cancelsSilently: CancelRule.name
    case .claimsArmed, .claimsDurable: HonestRule.name
    case .spins, .hurries: CalmRule.name
    }
  }
}

/// The daemon, or one with a planted fault: what goes in or comes out is changed as such a fault would change it.
struct Saboteur {
  private let planted: Planted?
  private var engine: Engine
  private var dice: Dice
  private var boot = ""
  /// Requests that are kept back, and until when.
  private var keptBack: [(action: Action, until: BootTime)] = []
  private var pressAgainAt: BootTime?
  private var requests: [ExchangeID: Action] = [:]

  init(_ planted: Planted?, seed: UInt64) {
    self.planted = planted
    dice = Dice(seed)
    engine = Engine(identity: .init(version: "0", bootID: ""))
  }

  mutating func start(boot: String) {
    self.boot = boot
    engine = Engine(identity: .init(version: "0", bootID: boot))
    keptBack = []
    pressAgainAt = nil
    requests = [:]
  }

  mutating func handle(_ event: Event, at now: BootTime, _ entropy: Entropy) -> [Action] {
    guard let planted else { return engine.handle(event, at: now, entropy: entropy) }
    var actions = engine.handle(before(event, planted), at: now, entropy: entropy)
    after(event, planted, at: now, entropy, &actions)
    return actions
  }

  var nextDeadline: BootTime? {
    if planted == .spins, engine.nextDeadline != nil { return BootTime(nanoseconds: 0) }
    return earliest(earliest(engine.nextDeadline, keptBack.map(\.until).min()), pressAgainAt)
  }

  var statusJSON: JSON {
    var json = engine.status.json
    if planted == .claimsArmed { json = json.replacing("state", by: .string("armed")) }
    if planted == .claimsDurable {
      json = json.replacing("outbox", by: (json["outbox"] ?? .null).replacing("durable", by: .bool(true)))
    }
    return json
  }

  private mutating func before(_ event: Event, _ planted: Planted) -> Event {
    switch (planted, event) {
    case (.losesPresses, .edges(_, let level, let lost)) where dice.happens(20):
      return .edges([], level: level == true ? nil : level, lost: lost)
    case (.forgetsPending, .storeLoaded): return .storeLoaded(StoredState())
    case (.believesAnyAnswer, .responded(let id, .success(let response))) where response.status >= 400:
      return .responded(id, .success(Response(status: 200, body: Array(#"{"sid":"1","ok":true}"#.utf8))))
    default: return event
    }
  }

  private mutating func after(
    _ event: Event, _ planted: Planted, at now: BootTime, _ entropy: Entropy, _ actions: inout [Action]
  ) {
    switch planted {
    case .doublesPresses:
      if actions.contains(.markPressed) { pressAgainAt = now + .seconds(90) }
      if let due = pressAgainAt, now >= due {
        pressAgainAt = nil
        actions += engine.handle(
          .commanded(ClientID(number: 0), .press(drill: false, wait: nil)), at: now, entropy: entropy)
        actions.append(.markPressed)
      }
    case .raisesBesideOpen:
      // As if nothing were known of what is open.
      if actions.contains(.markPressed), dice.happens(50) {
        var other = Engine(identity: .init(version: "0", bootID: boot))
        _ = other.handle(
          .clockRead(WallTime(milliseconds: 1, utcOffset: 0, trusted: false)), at: now, entropy: entropy)
        var config = Setup(people: [Person(id: "mum", routes: "hook")]).config
        config.button = nil
        _ = other.handle(.configRead(.good(config, text: "", warnings: [])), at: now, entropy: entropy)
        _ = other.handle(.storeLoaded(StoredState()), at: now, entropy: entropy)
        let extra = other.handle(
          .commanded(ClientID(number: 0), .press(drill: false, wait: nil)), at: now, entropy: entropy)
        for case .store(let batch, let writes) in extra {
          actions.append(.store(batch: batch + 1_000_000, writes))
        }
      }
    case .sendsBeforeStored:
      for case .store(let batch, _) in actions {
        actions += engine.handle(.stored(batch: batch), at: now, entropy: entropy)
      }
    case .sendsAgain:
      for case .send(let id, _, _, _) in actions { requests[id] = actions.first { $0.isSend(of: id) } }
      if case .responded(let id, .success(let response)) = event, response.status < 300,
        let request = requests[id],
        dice.happens(10)
      {
        actions.append(request)
      }
    case .delaysOneContact:
      actions.removeAll { action in
        guard case .send(let id, let request, _, _) = action, Letter(id, request)?.key.contactID == "dad"
        else {
          return false
        }
        keptBack.append((action, now + .seconds(3)))
        return true
      }
      actions += keptBack.filter { now >= $0.until }.map(\.action)
      keptBack.removeAll { now >= $0.until }
    case .cancelsSilently:
      guard case .commanded(_, .cancel) = event else { return }
      actions = actions.map { action in
        guard case .store(let batch, let writes) = action else { return action }
        return .store(batch: batch, writes.filter { !$0.isAllClear })
      }
    case .hurries:
      for case .send(_, let request, let timeout, let file) in actions where dice.happens(2) {
        for number in 0..<500 {
          actions.append(.send(ExchangeID(number: -1 - number), request, timeout: timeout, caFile: file))
        }
      }
    case .losesPresses, .forgetsPending, .believesAnyAnswer, .claimsArmed, .claimsDurable, .spins: break
    }
  }
}

extension Action {
  fileprivate func isSend(of wanted: ExchangeID) -> Bool {
    if case .send(wanted, _, _, _) = self { true } else { false }
  }
}

extension StoreWrite {
  fileprivate var isAllClear: Bool {
    if case .delivery(_, _, _, _, let document) = self {
      DeliveryRow(document)?.kind == .allClear
    } else {
      false
    }
  }
}

extension JSON {
  fileprivate func replacing(_ key: String, by value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.key == key ? Member(key: key, value: value) : $0 })
  }
}
