import Foundation
import Testing

@testable import DaemonCore

/// Configurations that come and go while the daemon runs.
@Suite struct ReloadTests {
  private static let problems = ["/etc/soteria.json:3:5: error: contacts: is missing"]

  @Test func aFileThatWasEditedIsNotWhatIsInForce() {
    var world = World(World.config([["a"]]))
    #expect(world.engine.status.source == .file)

    world.feed(.configFileChanged(text: "{ }"))
    #expect(world.engine.status.source == .lastGood)
    #expect(world.engine.status.problems.contains(.configOutdated))
    world.feed(.configFileChanged(text: nil))
    #expect(world.engine.status.source == .lastGood)

    world.feed(.configFileChanged(text: "{}"))
    #expect(world.engine.status.source == .file)
    #expect(!world.engine.status.problems.contains(.configOutdated))

    world.feed(.configFileChanged(text: "{ }"))
    world.reload(World.config([["b"]]))
    #expect(world.engine.status.source == .file)
    #expect(world.logs.filter { $0.text.contains("configuration: the file") }.count == 3)
  }

  @Test func aFileThatWasPutBackAfterABrokenReloadIsInForceAgain() {
    var world = World(World.config([["a"]]))
    world.feed(.configFileChanged(text: "{"))
    world.feed(.configRead(.broken(problems: Self.problems, fallback: nil)))
    #expect(world.engine.status.source == .lastGood)

    world.feed(.configFileChanged(text: "{}"))

    #expect(world.engine.status.source == .file)
    #expect(world.engine.configuration?.problems == [])
  }

  @Test func aGatewayThatIsGoneLeadsToTheContactsPresentRoutes() {
    var world = World(World.config([["a"]]))
    world.servers["a"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(60))
    world.reload(World.config([["b"]]))
    world.run(for: .seconds(1))

    #expect(world.sent.last?.host == "b")
    #expect(world.sent.last?.key == "\(id)/mum/0")
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test func aGatewayThatGoesWhileItIsTriedLeadsToThePresentRoutesToo() {
    var world = World(World.config([["a"]]))
    world.servers["a"] = { _ in .silent }
    let id = world.press()
    world.run(for: .seconds(1))
    world.reload(World.config([["b"]]))
    world.run(for: .seconds(60))

    #expect(world.sent(to: "b").count == 1)
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test func aContactWhoIsGoneKeepsTheStoredRoute() {
    var world = World(World.config([["a"], ["b"]]))
    world.servers["b"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(60))
    var next = World.config([["a"]])
    next.gateways.append(World.webhook("b"))
    world.servers["b"] = nil
    world.reload(next)
    world.run(for: .seconds(1))

    #expect(world.state(id, "dad") == "accepted")
  }

  @Test func aContactWhoIsGoneWithTheirGatewayIsKeptUntilExpiry() {
    var world = World(World.config([["a"], ["b"]]))
    world.servers["b"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(60))
    world.reload(World.config([["a"]]))
    world.run(for: .seconds(3600))
    #expect(world.delivery(id, "dad")?.state == .pending)
    #expect(world.delivery(id, "dad")?.lastError == "b: no gateway of that name is configured")

    world.reload(World.config([["a"], ["c"]]))
    world.run(for: .seconds(1))
    #expect(world.sent.last?.host == "c")
  }

  @Test func aTokenThatExpiredIsToldAndTheNewOneUsedAtOnce() {
    func config(_ token: String) -> Config {
      var config = World.config([["x"], ["b"]])
      let gateway = WhatsApp(
        baseURL: "https://wa", phoneNumberID: "1", accessToken: token, apiVersion: "v20.0", template: nil)
      config.gateways.append(GatewaySettings(name: "wa", type: "whatsapp", gateway: gateway))
      config.contacts[0].routes = [Route(gateway: "wa", to: "+628110000000")]
      config.contacts[1].routes.insert(Route(gateway: "wa", to: "+628110000001"), at: 0)
      return config
    }
    var world = World(config("old"))
    world.servers["wa"] = { sent in
      sent.request.headers.contains { $0.value == "Bearer old" }
        ? .answers(Sample.answer(401, #"{"error":{"code":190,"error_subcode":463}}"#))
        : .answers(Sample.answer(200, #"{"messages":[{"id":"w"}]}"#))
    }
    let id = world.press()
    world.run(for: .seconds(3600 * 5))
    let reason = "wa: access token expired or not accepted (190)"
    #expect(world.engine.status.problems.contains(.notReached(contact: "Mum", reason: reason)))
    #expect(world.state(id, "dad") == "accepted")

    world.reload(config("new"))
    world.run(for: .seconds(1))
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test func aBrokenFileLeavesTheOldConfigurationInForce() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    let first = world.press()
    world.run(for: .seconds(1))
    world.feed(.configRead(.broken(problems: Self.problems, fallback: nil)))

    #expect(world.exits.isEmpty)
    #expect(world.engine.status.source == .lastGood)
    #expect(world.engine.status.problems.contains(.configBroken(first: Self.problems[0], count: 1)))
    #expect(world.delivery(first, "mum") != nil)
    world.servers["mum.example"] = nil
    #expect(!world.press().isEmpty)
    world.run(for: .seconds(30))
    #expect(world.state(first, "mum") == "accepted")
    world.reload(world.config)
    #expect(world.engine.status.source == .file)
    #expect(!world.engine.status.problems.contains { $0.headline.contains("configuration") })
  }

  @Test func everyReloadSaysReloadingAndThenReady() {
    var world = World()
    world.notifications = []
    world.reload(world.config)
    world.feed(.configRead(.broken(problems: Self.problems, fallback: nil)))

    let words = world.notifications.map { notification in
      switch notification {
      case .reloading: "reloading"
      case .ready: "ready"
      case .status, .stopping, .watchdog: "other"
      }
    }
    #expect(words.filter { $0 != "other" } == ["reloading", "ready", "reloading", "ready"])
  }

  private static func start(_ reading: ConfigReading) -> [Action] {
    var engine = Engine(identity: Engine.Identity(version: "0.0.0", bootID: "b"))
    return engine.handle(.configRead(reading), at: .zero, entropy: Entropy(high: 1, low: 2))
  }

  @Test func startsWithTheLastGoodOneWhereTheFileIsBroken() {
    let fallback = ConfigReading.Fallback(config: World.config(), text: "{}")
    let actions = Self.start(.broken(problems: Self.problems, fallback: fallback))

    #expect(!actions.contains { if case .exit = $0 { true } else { false } })
    #expect(actions.contains { if case .notify(.ready) = $0 { true } else { false } })
    #expect(!actions.contains { if case .keepConfig = $0 { true } else { false } })
  }

  @Test func endsWith78WhereThereIsNoConfigurationAtAll() {
    let actions = Self.start(.broken(problems: Self.problems, fallback: nil))
    #expect(actions.contains(.exit(status: 78)))
  }

  @Test func aConfigurationIsProvenAfterTenMinutes() {
    var world = World()
    #expect(world.kept == [.loaded])
    world.run(for: .milliseconds(599_999))
    #expect(world.kept == [.loaded])
    world.run(for: .seconds(2))
    #expect(world.kept == [.loaded, .proven])
    world.run(for: .seconds(3600))
    #expect(world.kept == [.loaded, .proven])
  }

  @Test func aReloadedConfigurationHasToProveItselfAnew() {
    var world = World()
    world.run(for: .seconds(700))
    world.reload(world.config)
    world.run(for: .seconds(599))
    #expect(world.kept == [.loaded, .proven, .loaded])
    world.run(for: .seconds(2))
    #expect(world.kept == [.loaded, .proven, .loaded, .proven])
  }

  @Test func isNotProvenWhileTheLineIsNotOurs() {
    var world = World(World.config(button: true))
    world.feed(.buttonFailed(.busy(line: "line 17", consumer: "gpio-keys")))
    world.run(for: .seconds(3600))
    #expect(world.kept == [.loaded])
    world.feed(
      .buttonOpened(ButtonLink(description: "gpiochip0, line 17", pressed: false, adopted: false)))
    world.run(for: .seconds(601))
    #expect(world.kept == [.loaded, .proven])
  }

  /// A try is under way by a gateway that a reload takes away; its answer comes after that.
  private static func answered(_ answer: World.Answer, by gateway: GatewaySettings) -> (World, String) {
    var config = World.config([["b"]])
    config.gateways.append(gateway)
    config.contacts[0].routes = [Route(gateway: gateway.name, to: "+628110000000")]
    var world = World(config)
    world.servers[gateway.name] = { _ in answer }
    world.servers["b"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(1))
    world.reload(World.config([["b"]]))
    world.run(for: .seconds(9))
    return (world, id)
  }

  @Test func aRouteThatIsGoneMayStillHaveTakenTheMessage() {
    var (world, id) = Self.answered(
      .answers(Response(status: 200), after: .seconds(10)), by: World.webhook("a"))
    #expect(world.state(id, "mum") == "pending")
    world.run(for: .seconds(1))
    let tries = world.sent.count
    world.run(for: .seconds(600))

    #expect(world.state(id, "mum") == "accepted" && world.delivery(id, "mum")?.route == "a")
    #expect(world.sent.count == tries)
  }

  @Test func aRouteThatIsGoneAndProvesLittleDoesNotEndTheTries() {
    let taken = Sample.answer(201, #"{"sid":"SM1","status":"queued"}"#)
    var (world, id) = Self.answered(
      .answers(taken, after: .seconds(10)), by: World.twilio("wa", channel: .whatsapp))
    world.run(for: .seconds(1))
    #expect(world.state(id, "mum") == "accepted" && world.delivery(id, "mum")?.route == "wa")
    let tries = world.sent(to: "b").count
    world.run(for: .seconds(60))

    #expect(world.sent(to: "b").count > tries)
  }

  @Test func aTryFromBeforeTwoReloadsThatFailsLateStartsNothing() {
    var world = World(World.config([["a"]]))
    world.servers["a"] = { _ in .silent }
    world.press()
    world.run(for: .seconds(1))
    world.servers["a"] = { _ in .down }
    world.servers["b"] = { _ in .down }
    world.reload(World.config([["b"]]))
    world.run(for: .milliseconds(500))
    world.reload(World.config([["a"]]))
    world.run(until: .zero + .milliseconds(115_010))
    let tries = world.sent.count
    let next = world.engine.outbox.nextDeadline
    // Now the first try's time is over, while the delivery waits for its next round.
    world.run(for: .milliseconds(20))

    #expect(world.engine.outbox.pending.map(\.phase) == [next.map { .waiting(until: $0) }])
    #expect(world.sent.count == tries)
  }
}
