/// Makes the script of a seed: a few hours of trouble in a quiet week. Each seed has its own kinds of trouble, so
/// that rare ones meet often.
extension Script {
  package init(seed: UInt64, hours: Int) {
    var dice = Dice(seed)
    let setup = Setup(&dice)
    var deeds: [Deed] = []
    let week = hours * 3_600_000
    let kinds = Kind.allCases.filter { _ in dice.happens(45) }
    for _ in 0..<dice.within(2...5) {
      var at = dice.within(20_000...max(20_001, week - 4_000_000))
      var latest = setup
      for _ in 0..<dice.within(3...16) {
        at += dice.pick([dice.within(1...900), dice.within(1000...20_000), dice.within(20_000...400_000)])
        if kinds.isEmpty || dice.happens(35) {
          at = Self.gesture(at, latest, &deeds, &dice)
        } else {
          dice.pick(kinds).add(at, &latest, &deeds, &dice)
        }
      }
    }
    self.init(seed: seed, setup: setup, hours: hours, deeds: deeds.sorted { $0.at < $1.at })
  }

  /// What the setup takes for a press. Returns when the wearer is done.
  private static func gesture(_ start: Int, _ setup: Setup, _ deeds: inout [Deed], _ dice: inout Dice) -> Int
  {
    var at = start
    for _ in 0..<setup.presses {
      let held = setup.hold + dice.pick([60, 120, 250, 900, dice.within(60...3000)])
      deeds.append(Deed(at: at, .press(held: held, bounces: dice.within(0...3))))
      at += held + dice.within(90...250)
      if setup.presses > 1, held > 900 { at += 2500 }
    }
    return at
  }

  private enum Kind: CaseIterable {
    case tap, spike, flood, command, cancel, service, network, names, gpsd, receiver, disk, clock, reload,
      breakFile
    case crash, restart, powerCut, stall, chip

    func add(_ at: Int, _ setup: inout Setup, _ deeds: inout [Deed], _ dice: inout Dice) {
      /// Trouble, and its end: after seconds, minutes, hours or days.
      func trouble(_ begin: Deed.What, _ end: Deed.What) {
        let unit = dice.pick([
          1000, 1000, 1000, 60_000, 60_000, 60_000, 3_600_000, dice.pick([60_000, 86_400_000]),
        ])
        deeds.append(Deed(at: at, begin))
        deeds.append(Deed(at: at + unit * dice.within(1...3), end))
      }
      func now(_ what: Deed.What) { deeds.append(Deed(at: at, what)) }

      switch self {
      case .tap: now(.press(held: dice.within(2...20), bounces: dice.within(0...3)))
      case .spike: now(.spike(width: dice.within(5...20_000)))
      case .flood: now(.flood(lasting: dice.within(100...2000)))
      case .command: now(.command(drill: dice.happens(40)))
      case .cancel: now(dice.happens(80) ? .cancel : .askHistory)
      case .service:
        let service = dice.pick(Service.allCases)
        trouble(.service(service, dice.pick(Weather.allCases)), .service(service, .fine))
      case .network: trouble(.network(up: false), .network(up: true))
      case .names: trouble(.names(resolve: false), .names(resolve: true))
      case .gpsd: trouble(.gpsd(dice.pick(Gpsd.allCases)), .gpsd(.running))
      case .receiver: now(.receiver(dice.pick(Receiver.allCases)))
      case .disk: trouble(.disk(dice.pick(Disk.Health.allCases)), .disk(.fine))
      case .clock:
        let step = dice.pick([1, 60, 3600, 86_400, 31_536_000]) * dice.within(1...3)
        now(.clockStep(by: dice.happens(50) ? step : -step))
      case .reload:
        setup = setup.edited(&dice)
        now(.reload(setup))
      case .breakFile: now(.breakFile)
      case .crash: now(.crash(afterActions: dice.within(0...25), back: dice.pick([100, 100, 2000, 60_000])))
      case .restart: now(.restart)
      case .powerCut:
        now(.powerCut(afterActions: dice.within(0...25), back: dice.pick([3000, 60_000, 36_000_000])))
      case .stall: now(.stall(lasting: dice.pick([20, 200, 1500, 20_000])))
      case .chip: trouble(.chip(present: false), .chip(present: true))
      }
    }
  }
}

extension Setup {
  init(_ dice: inout Dice) {
    self.init(people: [])
    for id in ["mum", "dad", "kim"].prefix(dice.within(1...3)) {
      people.append(Person(id: id, routes: Self.routes(&dice)))
    }
    hold = dice.pick([0, 0, 0, 1000])
    presses = dice.pick([1, 1, 1, 1, 3])
    window = dice.pick([0, 0, 0, 10])
    openFor = dice.pick([1800, 1800, 300])
    updates = dice.happens(40)
    expire = dice.pick([168, 168, 1])
    addresses = dice.happens(50)
  }

  private static func routes(_ dice: inout Dice) -> String {
    var names: [String] = []
    for _ in 0..<dice.within(1...3) {
      let name = dice.pick(Service.allCases).rawValue
      if !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: " ")
  }

  /// As an owner edits it.
  func edited(_ dice: inout Dice) -> Setup {
    var next = self
    switch dice.within(1...5) {
    case 1: next.people.append(Person(id: "new\(dice.within(1...9))", routes: Self.routes(&dice)))
    case 2: if next.people.count > 1 { next.people.removeFirst() }
    case 3: next.people[0].id += "x"
    case 4: next.people[0].routes = Self.routes(&dice)
    default: (next.updates, next.openFor) = (!updates, dice.pick([1800, 300]))
    }
    var seen: Set<String> = []
    next.people = next.people.filter { seen.insert($0.id).inserted }
    return next
  }
}
