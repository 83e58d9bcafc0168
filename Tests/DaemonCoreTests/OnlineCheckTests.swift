import Testing

@testable import DaemonCore

/// Trouble with a service stands in the status before the emergency.
@Suite struct OnlineCheckTests {
  private static let telegram = GatewaySettings(
    name: "bot", type: "telegram", gateway: Telegram(baseURL: "https://bot", botToken: "1:tok"))

  /// Mum by Telegram, then by a webhook.
  private static func world() -> World {
    var config = World.config([["hook"]])
    config.gateways.append(telegram)
    config.contacts[0].routes.insert(Route(gateway: "bot", to: "5"), at: 0)
    return World(config)
  }

  private static func says(_ status: Int, _ body: String, date: String? = nil) -> World.Answer {
    .answers(Sample.answer(status, body, date.map { [Header("date", $0)] } ?? []))
  }

  private func problems(_ world: World) -> [String] { world.engine.status.problems.map(\.headline) }

  @Test func asksOnceADayAndSendsNothing() {
    var world = Self.world()
    world.run(for: .seconds(4 * 86_400))

    // The webhook's server is reached, the token and the chat are asked about.
    #expect((6...12).contains(world.probed.count))
    #expect(Set(world.probed.map(\.url)).count == 3)
    #expect(world.probed.contains { $0.url == "https://bot/bot1:tok/getMe" })
    #expect(world.probed.contains { $0.url == "https://bot/bot1:tok/getChat?chat_id=5" })
    #expect(world.probed.contains { $0.url == "https://hook" })
    #expect(world.sent.isEmpty && problems(world).filter { $0.contains("would fail") }.isEmpty)
  }

  /// A device that slept in the middle of a check; a loop that spins fails in `World`.
  @Test func answersThatComeADayLateKeepNobodyAwake() {
    var world = Self.world()
    world.probes = { _, _ in .answers(Sample.answer(200, #"{"ok":true}"#), after: .seconds(2 * 86_400)) }
    world.run(for: .seconds(3 * 86_400))

    #expect(!world.probed.isEmpty)
  }

  @Test func aGatewayWithAProblemIsNotWell() throws {
    let probe = try #require(OnlineProbe.all(in: Self.world().config).first)

    #expect(probe.isWell(with: nil) && !probe.isWell(with: "credentials not accepted (401)"))
  }

  @Test func praisesOnlyWhatWasProven() {
    let praise = OnlineProbe.all(in: Self.world().config).map { "\($0.name): \($0.verdict(nil))" }

    #expect(
      praise == [
        "hook: reachable; credentials cannot be tried", "bot: credentials accepted",
        "bot to Mum: known to the service",
      ])
  }

  @Test func saysWhichTokenAndWhichContactWouldFail() {
    var world = Self.world()
    world.probes = { request, _ in
      request.url.contains("getMe")
        ? Self.says(401, #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#)
        : Self.says(400, #"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#)
    }
    world.run(for: .seconds(1000))

    #expect(problems(world).contains("bot would fail") && problems(world).contains("bot to Mum would fail"))
    #expect(world.logged(.warning, "bot: bot token not accepted"))
    #expect(
      world.engine.status.text.contains("an alert by bot to Mum would fail: Bad Request: chat not found"))
  }

  @Test func troubleIsAskedAgainAndGoesWhenItIsMended() {
    var world = Self.world()
    world.probes = { request, _ in Self.says(401, #"{"ok":false}"#) }
    world.run(for: .seconds(1000))
    let before = world.logs.filter { $0.level == .warning }.count
    world.run(for: .seconds(3 * 3600))
    #expect(world.logs.filter { $0.level == .warning }.count == before, "the same again is no news")

    world.probes = { _, _ in Self.says(200, #"{"ok":true}"#) }
    world.run(for: .seconds(1400))

    #expect(problems(world).filter { $0.contains("would fail") }.isEmpty)
    #expect(world.logged(.notice, "bot: works again"))
  }

  @Test func aTunnelIsNoTroubleButALongOneIs() {
    var world = Self.world()
    world.probes = { _, _ in .breaks(.resolving) }
    world.run(for: .seconds(1000))
    #expect(problems(world).filter { $0.contains("would fail") }.isEmpty && !world.probed.isEmpty)
    world.run(for: .seconds(1500))
    #expect(problems(world).filter { $0.contains("would fail") }.count == 3)
  }

  @Test func aCertificateThatIsNotTrustedIsTroubleAtOnce() {
    var world = Self.world()
    world.probes = { _, _ in .breaks(.securing) }
    world.run(for: .seconds(1000))
    #expect(problems(world).filter { $0.contains("would fail") }.count == 3)
  }

  @Test func asksNothingWhileAnAlertIsOpen() {
    var world = Self.world()
    world.press()
    world.run(for: .seconds(1700))
    #expect(world.probed.isEmpty)
    world.run(for: .seconds(3000))
    #expect(!world.probed.isEmpty)
  }

  @Test func aMessageThatWasTakenProvesTheGateway() {
    var world = Self.world()
    world.probes = { request, _ in
      request.url.contains("getChat") ? Self.says(200, #"{"ok":true}"#) : Self.says(500, "oops")
    }
    world.servers["bot"] = { _ in Self.says(200, #"{"ok":true,"result":{"message_id":1}}"#) }
    world.run(for: .seconds(1000))
    #expect(problems(world).contains("bot would fail"))
    world.press()
    world.run(for: .seconds(5))
    #expect(!problems(world).contains("bot would fail"))
  }

  @Test func aReloadForgetsWhatWasFound() {
    var world = Self.world()
    world.probes = { _, _ in Self.says(401, #"{"ok":false}"#) }
    world.run(for: .seconds(1000))
    world.reload(world.config)
    #expect(problems(world).filter { $0.contains("would fail") }.isEmpty)
    world.run(for: .seconds(1000))
    #expect(problems(world).contains("bot would fail"))
  }

  @Test func aClockThatTheServersDoNotShareIsTold() {
    var world = Self.world()
    // The world's clock says 2026-11-30T02:14:07Z at its start.
    world.probes = { _, _ in
      Self.says(200, #"{"ok":true}"#, date: "Mon, 30 Nov 2026 05:20:00 GMT")
    }
    world.run(for: .seconds(1000))

    #expect(problems(world).contains("clock is wrong"))
    #expect(world.engine.status.text.contains("the clock is 2 h behind what the servers say"))
  }

  @Test func aPortalTellsNoTime() {
    var world = Self.world()
    world.probes = { _, _ in
      Self.says(200, "<html>Sign in</html>", date: "Mon, 01 Jan 2001 00:00:00 GMT")
    }
    world.run(for: .seconds(1000))

    #expect(!problems(world).contains("clock is wrong"))
  }

  @Test(
    arguments: [
      ([], "untold"), ([0], "right"), ([-30, 30], "right"), ([31], "wrong"), ([-7200, 0, 1], "right"),
      ([7200, 7201, 0], "wrong"),
    ] as [([Int64], String)])
  func theMiddleOfWhatIsToldCounts(errors: [Int64], verdict: String) {
    switch ClockVerdict(errors: errors) {
    case .untold: #expect(verdict == "untold")
    case .right: #expect(verdict == "right")
    case .wrong: #expect(verdict == "wrong")
    }
  }
}
