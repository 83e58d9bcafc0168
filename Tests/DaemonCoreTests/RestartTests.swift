import Foundation
import Testing

@testable import DaemonCore

/// What outlives a restart, a power cut, and the boots after it.
@Suite struct RestartTests {
  private static func unreachable() -> World {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    return world
  }

  @Test(arguments: [true, false]) func goesOnWithinTwoSecondsUnderTheSameName(_ sameBoot: Bool) {
    var world = Self.unreachable()
    let id = world.press()
    world.run(for: .seconds(3600))
    let before = world.sent.count
    world.restart(sameBoot: sameBoot)
    world.run(for: .seconds(2))

    #expect(world.sent.count > before)
    #expect(Set(world.sent.map(\.key)) == ["\(id)/mum/0"])
    #expect(Set(world.sent.dropFirst(before).map(\.alertID)) == [id])
  }

  @Test func readsBackWhatItWrote() {
    var world = World(World.config([["a", "b"]]))
    world.servers["a"] = { _ in .down }
    world.servers["b"] = { _ in .down }
    world.fix(-6.123456789)
    let id = world.press()
    world.run(for: .seconds(70))
    world.press()
    world.run(for: .seconds(5))
    let before = world.engine
    world.restart(sameBoot: true, off: .zero)

    #expect(world.engine.book.all == before.book.all)
    for sequence in 0...1 {
      let key = Delivery.Key(alertID: id, contactID: "mum", sequence: sequence)
      guard let old = before.outbox[key], let new = world.engine.outbox[key] else {
        Issue.record("delivery \(sequence) is gone")
        continue
      }
      #expect(new.kind == old.kind && new.reason == old.reason && new.facts == old.facts)
      #expect(new.contact == old.contact && new.created == old.created)
      #expect(new.state == old.state && new.attempts == old.attempts && new.lastError == old.lastError)
    }
  }

  @Test func spentTimeAddsUpOverBootsAndPowerOffIsNone() {
    var world = Self.unreachable()
    world.config.delivery.expire = .seconds(10_000)
    world.reload(world.config)
    let id = world.press()
    for _ in 0..<3 {
      world.run(for: .seconds(3000))
      world.restart(off: .seconds(86_400))
      #expect(world.delivery(id, "mum") != nil)
    }
    // Three boots with 3000 s each, less what no write had noted before a cut.
    world.run(for: .seconds(800))
    #expect(world.state(id, "mum") == "pending")
    world.run(for: .seconds(2000))
    #expect(world.state(id, "mum") == "expired")
  }

  @Test func anAlertStaysOpenAcrossARestart() {
    var world = World()
    let id = world.press()
    world.run(for: .seconds(1))
    world.restart()
    // The boot took 30 s; power-off is no time spent.
    world.run(for: .seconds(31))
    #expect(world.press() == id)
    world.run(for: .seconds(1))

    #expect(world.sent.map(\.kind) == ["alert", "update"])
    #expect(world.sent.map(\.sequence) == [0, 1])
  }

  @Test func nothingIsSentTwiceAfterAnOrderlyStop() {
    var world = World()
    world.press()
    world.run(for: .seconds(1))
    world.feed(.stopRequested)
    world.run(for: .milliseconds(100))
    world.restart(sameBoot: true)
    world.run(for: .seconds(600))

    #expect(world.sent.count == 1)
    #expect(world.exits == [0])
  }

  @Test func datesThePressWhenTheClockIsTrustedWithinTheSameBoot() {
    var world = World(at: .seconds(100), wall: Sample.unset)
    world.servers["mum.example"] = { _ in .down }
    world.press()
    world.run(for: .seconds(50))
    #expect(world.sent.last?.document?["clock_trusted"]?.bool == false)
    world.feed(.clockRead(Sample.moment))
    world.feed(.clockStepped)
    world.run(for: .seconds(2))

    #expect(world.sent.last?.document?["clock_trusted"]?.bool == true)
    let pressed = Sample.moment.advanced(by: .seconds(-50)).utcText
    #expect(world.sent.last?.document?["pressed_at"]?.string == pressed)
  }

  @Test func datesThePressAlsoAfterARestartOfTheServiceAlone() {
    var world = World(at: .seconds(100), wall: Sample.unset)
    world.servers["mum.example"] = { _ in .down }
    world.press()
    world.run(for: .seconds(40))
    world.restart(sameBoot: true, off: .seconds(10), wall: Sample.moment)
    world.run(for: .seconds(3))

    let pressed = Sample.moment.advanced(by: .seconds(-50)).utcText
    #expect(world.sent.last?.document?["pressed_at"]?.string == pressed)
  }

  @Test func aPressOfAnEarlierBootKeepsTheTimeItWasGiven() {
    var world = World(at: .seconds(100), wall: Sample.unset)
    world.servers["mum.example"] = { _ in .down }
    world.press()
    world.run(for: .seconds(40))
    world.restart(wall: Sample.moment)
    world.run(for: .seconds(3))

    #expect(world.sent.last?.document?["pressed_at"]?.string == Sample.unset.utcText)
    #expect(world.sent.last?.document?["clock_trusted"]?.bool == false)
  }

  @Test func aWeakAcceptanceIsRememberedByRouteNotByGateway() {
    var config = World.config([["b"]])
    config.gateways.append(World.twilio("wa", channel: .whatsapp))
    config.contacts[0].routes = [
      Route(gateway: "wa", to: "+628110000001"), Route(gateway: "wa", to: "+628110000002"),
    ]
    var world = World(config)
    world.servers["wa"] = { letter in
      let body = String(decoding: letter.request.body ?? [], as: UTF8.self)
      return body.contains("0001")
        ? .answers(Sample.answer(201, #"{"sid":"SM1","status":"queued"}"#)) : .down
    }
    world.press()
    world.run(for: .seconds(10))
    let before = world.sent.count
    world.restart()
    world.run(for: .seconds(10))

    let bodies = world.sent.dropFirst(before).filter { $0.request.method == "POST" }
      .map { String(decoding: $0.request.body ?? [], as: UTF8.self) }
    #expect(!bodies.isEmpty)
    #expect(bodies.allSatisfy { $0.contains("0002") })
  }

  @Test func aPressAfterAPowerCutIsTold() {
    var world = World()
    world.press()
    world.run(for: .seconds(20))
    world.restart()
    world.run(for: .seconds(1))
    world.press()
    world.run(for: .seconds(5))

    // Nobody knows how long the device went on after its last write.
    #expect(world.sent.map(\.kind) == ["alert", "update"])
  }

  /// Another run of the same boot, whose disk takes its time.
  private static func restarted(_ world: World) -> World {
    var fresh = World()
    fresh.synced = Rows()
    fresh.engine = Engine(identity: Engine.Identity(version: "0.0.0", bootID: "boot-1"))
    fresh.now = world.now
    fresh.feed(.clockRead(Sample.moment))
    fresh.feed(.configRead(.good(fresh.config, text: "{}", warnings: [])))
    return fresh
  }

  @Test func aPressBeforeTheStoreIsReadJoinsTheAlertThatIsInIt() {
    var world = Self.unreachable()
    let id = world.press()
    world.run(for: .seconds(2))
    var fresh = Self.restarted(world)
    #expect(fresh.press() == "")
    fresh.run(for: .milliseconds(20))
    fresh.feed(.storeLoaded(world.synced.state))
    fresh.run(for: .seconds(3))

    #expect(fresh.replies.first?.line["text"]?.string == id)
    #expect(fresh.engine.book.all.map(\.id) == [id])
  }

  @Test func aPressBeforeTheStoreIsReadIsStoredThoughTheDaemonIsStopped() {
    var fresh = Self.restarted(Self.unreachable())
    fresh.press()

    let actions = fresh.engine.handle(.stopRequested, at: fresh.now, entropy: Entropy(high: 1, low: 2))

    let rows = actions.flatMap { if case .store(_, let writes) = $0 { writes } else { [] as [StoreWrite] } }
    #expect(rows.contains { if case .alert(_, ended: false, _, _) = $0 { true } else { false } })
    #expect(rows.contains { if case .delivery(_, _, _, pending: true, _) = $0 { true } else { false } })
  }

  @Test func aCancelBeforeTheStoreIsReadEndsTheAlertThatIsInIt() {
    var world = Self.unreachable()
    world.press()
    world.run(for: .seconds(2))
    var fresh = Self.restarted(world)
    #expect(fresh.cancel() == nil)
    fresh.feed(.storeLoaded(world.synced.state))

    #expect(fresh.engine.book.all.map(\.state) == [.cancelled])
  }

  @Test func aPressIsNotKeptWaitingByAStoreThatIsSlow() {
    var world = Self.unreachable()
    let old = world.press()
    world.run(for: .seconds(600))
    var fresh = Self.restarted(world)
    fresh.press()
    fresh.run(for: .milliseconds(600))
    let new = fresh.replies.first?.line["text"]?.string
    #expect(fresh.sent.map(\.alertID) == [new])
    fresh.feed(.storeLoaded(world.synced.state))
    fresh.run(for: .seconds(1))

    #expect(new != old)
    #expect(fresh.press() == new)
    #expect(fresh.engine.book.all.map(\.id) == [old, new])
    #expect(fresh.cancel()?["text"]?.string?.contains("; alert") == true)
    #expect(fresh.engine.book.all.map(\.state) == [.cancelled, .cancelled])
  }

  @Test func aPressAfterARestartIsNotToldAgainWithinTheMinute() {
    var world = World()
    world.press()
    world.run(for: .seconds(70))
    world.press()
    world.run(for: .seconds(5))
    world.restart(sameBoot: true, off: .seconds(1))
    world.run(for: .seconds(1))
    world.press()
    world.run(for: .seconds(5))
    #expect(world.sent.map(\.kind) == ["alert", "update"])
    world.run(for: .seconds(60))
    world.press()
    world.run(for: .seconds(5))

    #expect(world.sent.map(\.kind) == ["alert", "update", "update"])
  }

  @Test func anAlertWithoutADateIsNotPrunedForItsAge() {
    var world = World(at: .seconds(100), wall: Sample.unset)
    world.press()
    world.run(for: .seconds(4000))

    #expect(world.written.map(\.ended).last == true)
    #expect(world.written.allSatisfy { $0.pressedAt == .max })
  }

  @Test func aSecondReadingOfTheStoreAsksForNoWrite() {
    var world = Self.unreachable()
    world.press()
    world.run(for: .seconds(1))
    let state = world.synced.state
    var engine = Engine(identity: Engine.Identity(version: "0.0.0", bootID: "boot-1"))
    func writes() -> Int {
      engine.handle(.storeLoaded(state), at: at(ms: 0), entropy: Entropy(high: 1, low: 2)).count { action in
        if case .store = action { true } else { false }
      }
    }

    #expect(writes() == 1)
    #expect(writes() == 0)
  }

  @Test func rowsThatCannotBeReadAreToldAndHarmNothing() {
    var world = Self.unreachable()
    world.fix()
    let id = world.press()
    world.run(for: .seconds(1))
    let document = world.synced.alerts[0].document
    world.synced.alerts += [
      Rows.AlertRow(id: "x", ended: false, document: ""),
      Rows.AlertRow(id: "y", ended: false, document: String(repeating: "\0", count: 4096)),
      Rows.AlertRow(
        id: "z", ended: false,
        document: document.replacingOccurrences(of: "\"version\":1", with: "\"version\":2")),
      Rows.AlertRow(
        id: "w", ended: false, document: document.replacingOccurrences(of: "\"lat\":", with: "\"lot\":")),
    ]
    world.synced.deliveries.append(
      Rows.DeliveryRow(alertID: id, contactID: "x", sequence: 1, pending: true, document: "{}"))
    world.restart()
    world.run(for: .seconds(2))

    #expect(world.logged(.error, "5 rows cannot be read"))
    #expect(world.sent.last?.alertID == id)
  }
}
