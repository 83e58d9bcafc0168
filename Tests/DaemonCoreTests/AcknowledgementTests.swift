import Foundation
import Testing

@testable import DaemonCore

/// That a person has the call for help is known as soon as the service tells, and asked only while it matters.
@Suite struct AcknowledgementTests {
  static let gateways: [any Gateway] = [
    Pushover(baseURL: "https://loud", token: "t"),
    Telegram(baseURL: "https://loud", botToken: "1:a", acknowledges: true),
    Ntfy(baseURL: "https://loud", token: nil, replyTopic: "ok"),
  ]

  /// Mum by one of these; `answer` is what the service says when it is asked about the message.
  private static func world(_ gateway: any Gateway, asked answer: String) -> World {
    var config = World.config([["b"]])
    config.gateways.append(GatewaySettings(name: "loud", type: "x", gateway: gateway))
    config.contacts[0].routes = [Route(gateway: "loud", to: "5")]
    var world = World(config)
    say(answer, in: &world)
    return world
  }

  /// From now on the service says this when it is asked about the message.
  private static func say(_ answer: String, in world: inout World) {
    world.servers["loud"] = { letter in
      .answers(Sample.answer(200, letter.request.method == "GET" ? answer : taken(letter.request)))
    }
  }

  private static func taken(_ request: DaemonCore.Request) -> String {
    if request.url.hasSuffix(".json") { return #"{"status":1,"receipt":"r1"}"# }
    if request.url.contains("/bot") { return #"{"ok":true,"result":{"message_id":7,"chat":{"id":5}}}"# }
    return #"{"id":"x","time":1000,"event":"message","topic":"5"}"#
  }

  /// What each says once someone has pressed: among what is not this message's.
  private static func pressed(_ gateway: any Gateway, _ alert: String) -> String {
    switch gateway {
    case is Pushover: #"{"status":1,"acknowledged":1}"#
    case is Telegram:
      #"{"ok":true,"result":[{"update_id":1,"message":{"message_id":7,"chat":{"id":5}}},"#
        + #"{"update_id":2,"callback_query":{"id":"q","data":"ok","message":{"message_id":7,"chat":{"id":5}}}}]}"#
    default:
      "{\"event\":\"message\",\"message\":\"other\"}\n{\"event\":\"message\",\"message\":\"\(alert)/mum/0\"}\n"
    }
  }

  /// Someone pressed under another message.
  private static func otherwise(_ gateway: any Gateway) -> String {
    switch gateway {
    case is Pushover: #"{"status":1,"acknowledged":0,"expired":1}"#
    case is Telegram:
      #"{"ok":true,"result":[{"callback_query":{"id":"q","message":{"message_id":8,"chat":{"id":5}}}},"#
        + #"{"callback_query":{"id":"q","message":{"message_id":7,"chat":{"id":6}}}}]}"#
    default: "{\"event\":\"message\",\"message\":\"other/mum/0\"}\nnonsense\n"
    }
  }

  private func questions(_ world: World) -> [World.Sent] { world.sent.filter { $0.request.method == "GET" } }

  @Test(arguments: gateways) func isKnownWhenTheServiceTells(_ gateway: any Gateway) {
    var world = Self.world(gateway, asked: Self.otherwise(gateway))
    let alert = world.press()
    world.run(for: .seconds(5))
    #expect(world.state(alert, "mum") == "accepted")
    Self.say(Self.pressed(gateway, alert), in: &world)
    world.run(for: .seconds(10))

    #expect(world.state(alert, "mum") == "acknowledged")
    #expect(world.logged(.notice, "acknowledged"))
    #expect(world.engine.status.text.contains("acknowledged by loud"))
    world.run(for: .seconds(300))
    #expect(questions(world).count == 1, "it is not asked again")
  }

  @Test(arguments: gateways) func isAskedWithinTheServicesLimitsAndWhileTheAlertIsOpen(_ gateway: any Gateway)
  {
    var world = Self.world(gateway, asked: Self.otherwise(gateway))
    let id = world.press()
    world.run(for: .seconds(4000))

    let asked = questions(world).map { $0.at - world.sent[0].at }
    #expect((55...65).contains(asked.count))
    #expect(zip(asked.dropFirst(), asked).allSatisfy { $0 - $1 >= .seconds(10) })
    #expect(asked.allSatisfy { $0 <= .seconds(1800) }, "not beyond alert.open_for")
    #expect(world.state(id, "mum") == "accepted")
    #expect(world.engine.book[id] == nil, "nothing keeps it in memory")
  }

  @Test(arguments: gateways) func isAskedOnAfterARestart(_ gateway: any Gateway) {
    var world = Self.world(gateway, asked: Self.otherwise(gateway))
    let id = world.press()
    world.run(for: .seconds(60))
    world.restart(off: .seconds(20))
    let before = questions(world).count
    world.run(for: .seconds(30))
    #expect(questions(world).count > before && world.state(id, "mum") == "accepted")

    Self.say(Self.pressed(gateway, id), in: &world)
    world.run(for: .seconds(60))

    #expect(world.state(id, "mum") == "acknowledged")
  }

  @Test(arguments: gateways) func endsWithTheAllClear(_ gateway: any Gateway) {
    var world = Self.world(gateway, asked: Self.otherwise(gateway))
    world.press()
    world.run(for: .seconds(60))
    _ = world.cancel()
    let before = questions(world).count
    world.run(for: .seconds(600))

    #expect(before > 0 && questions(world).count <= before + 1)
  }

  @Test(arguments: gateways) func ofADrillIsAskedForTenMinutes(_ gateway: any Gateway) {
    var world = Self.world(gateway, asked: Self.otherwise(gateway))
    let id = world.press(drill: true)
    world.run(for: .seconds(3000))

    let asked = questions(world).map { $0.at - world.sent[0].at }
    #expect((15...25).contains(asked.count) && asked.allSatisfy { $0 <= .seconds(601) })
    #expect(world.engine.book[id] == nil)
  }

  @Test func telegramsButtonIsAnsweredOnce() throws {
    let gateway = Telegram(baseURL: "https://loud", botToken: "1:a", acknowledges: true)
    var world = Self.world(gateway, asked: Self.pressed(gateway, ""))
    world.press()
    world.run(for: .seconds(60))

    let sent = world.sent.filter { $0.request.url.hasSuffix("answerCallbackQuery") }
    #expect(sent.count == 1 && sent.first?.document?["callback_query_id"] == .string("q"))
    let first = try #require(world.sent.first?.document)
    #expect(first["reply_markup"]?["inline_keyboard"]?.array?.first?.array?.count == 1)
    #expect(
      questions(world)[0].request.url
        == "https://loud/bot1:a/getUpdates?timeout=0&limit=100&offset=-100&allowed_updates=%5B%22callback_query%22%5D"
    )
  }

  @Test func ntfysButtonNamesTheMessage() throws {
    let gateway = Ntfy(baseURL: "https://loud", token: "t", replyTopic: "ok")
    let message = Sample.message(to: "help")
    let step = gateway.steps(for: message)[0]
    let action = try #require(step.request.body.flatMap { JSON(parsing: $0) }?["actions"]?.array?.first)

    #expect(action["action"] == .string("http") && action["url"] == .string("https://loud/ok"))
    #expect(action["body"] == .string("01J/mum/0") && action["headers"] == nil, "no token is given away")
    let outcome = gateway.outcome(
      of: Sample.answer(200, #"{"id":"x","time":1000,"event":"message","topic":"t"}"#), to: step)
    #expect(outcome == .accepted(Acceptance(receipt: "1000 01J/mum/0")))
    #expect(gateway.fateRequest(for: "1000 01J/mum/0")?.url == "https://loud/ok/json?poll=1&since=1000")
    #expect(gateway.steps(for: Sample.message(kind: .update))[0].reference == nil)
  }

  @Test func withoutAButtonNothingIsAsked() {
    for gateway in [
      Telegram(baseURL: "https://loud", botToken: "1:a"), Ntfy(baseURL: "https://loud", token: nil),
    ]
      as [any Gateway]
    {
      var world = Self.world(gateway, asked: "")
      world.press()
      world.run(for: .seconds(600))
      #expect(questions(world).isEmpty)
    }
  }

  /// Mum has said by a weak route that she has it while the next route was still under way.
  @Test func anAcknowledgementIsNotForgottenWhenTheNextRouteIsDone() {
    var outbox = Outbox()
    let contact = Contact(name: "Mum", id: "mum", routes: [Route(gateway: "a"), Route(gateway: "b")])
    let key = Delivery.Key(alertID: "A", contactID: "mum", sequence: 0)
    outbox.add(
      Delivery(
        key: key, kind: .alert, facts: Facts(position: .unknown), contact: contact, created: .zero,
        phase: .storing))
    let now = BootTime.zero + .seconds(1)
    _ = outbox.release(key, at: now)
    _ = outbox.attemptFinished(
      key, by: contact.routes[0], .accepted(Acceptance(strong: false)), at: now, fraction: 0)
    _ = outbox.fateLearned(key, by: contact.routes[0], .acknowledged, at: now, fraction: 0)
    _ = outbox.attemptFinished(key, by: contact.routes[1], .accepted(Acceptance()), at: now, fraction: 0)

    #expect(outbox[key]?.state == .acknowledged && outbox[key]?.isEnded == true)
  }
}
