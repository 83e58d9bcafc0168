import Foundation
import Testing

@testable import DaemonCore

/// What becomes of a message after a service took it.
@Suite struct FateTests {
  /// Mum by Twilio, then by the webhook `b`; the fate is what Twilio's message resource says.
  private static func world(status: @escaping (World.Sent) -> String) -> World {
    var config = World.config([["b"]])
    config.gateways.append(World.twilio("sms"))
    config.contacts[0].routes.insert(Route(gateway: "sms", to: "+628110000000"), at: 0)
    var world = World(config)
    world.servers["sms"] = { letter in
      letter.request.method == "POST"
        ? .answers(Sample.answer(201, #"{"sid":"SM1","status":"queued"}"#))
        : .answers(Sample.answer(200, #"{"sid":"SM1","status":"\#(status(letter))","error_code":30005}"#))
    }
    return world
  }

  @Test func asksForTwoMinutesEverMoreSeldom() {
    var world = Self.world { _ in "sent" }
    let id = world.press()
    world.run(for: .seconds(600))

    let asked = world.sent.filter { $0.request.method == "GET" }.map { $0.at - world.sent[0].at }
    #expect((8...14).contains(asked.count))
    #expect(asked.allSatisfy { $0 <= .seconds(121) })
    #expect(zip(asked.dropFirst(), asked).allSatisfy { $0 - $1 >= .seconds(2) && $0 - $1 <= .seconds(16) })
    #expect(world.state(id, "mum") == "accepted")
    #expect(world.sent(to: "b").isEmpty)
  }

  @Test func saysDeliveredOnlyWhenTheServiceSaysSo() {
    var world = Self.world { _ in "delivered" }
    let id = world.press()
    world.run(for: .seconds(1))
    #expect(world.state(id, "mum") == "accepted")
    world.run(for: .seconds(2))
    #expect(world.state(id, "mum") == "delivered")
    world.run(for: .seconds(300))
    #expect(world.sent.filter { $0.request.method == "GET" }.count == 1)
    #expect(world.synced.deliveries[0].document.contains(#""state":"delivered""#))
  }

  @Test func reopensADeliveryThatDidNotArriveAfterAll() {
    var world = Self.world { _ in "undelivered" }
    let id = world.press()
    world.run(for: .seconds(3))

    #expect(world.sent(to: "b").count == 1)
    #expect(world.state(id, "mum") == "accepted")
    #expect(world.delivery(id, "mum")?.route == "b")
    #expect(world.logged(.warning, "could not be delivered"))
  }

  @Test func aDrillsFateIsLearnedToo() {
    var world = Self.world { _ in "delivered" }
    let id = world.press(drill: true)
    world.run(for: .seconds(10))

    #expect(world.state(id, "mum") == "delivered")
    #expect(world.engine.book[id] == nil)
  }

  @Test func aServiceThatDoesNotAnswerIsAskedAgain() {
    var world = Self.world { _ in "sent" }
    world.servers["sms"] = {
      $0.request.method == "POST" ? .answers(Sample.answer(201, #"{"sid":"S"}"#)) : .silent
    }
    world.press()
    world.run(for: .seconds(600))

    #expect((3...8).contains(world.sent.filter { $0.request.method == "GET" }.count))
  }

  /// Gives receipts that it cannot ask about.
  private struct Mute: Gateway {
    var baseURL: String { "https://mute" }
    func steps(for message: Message) -> [Step] {
      [Step(name: "text", request: Request(method: "POST", url: "https://mute/"))]
    }
    func outcome(of response: Response, to step: Step) -> Outcome { .accepted(Acceptance(receipt: "r")) }
  }

  @Test func aReceiptThatCannotBeAskedAboutIsNoTrouble() {
    var world = World(World.config([["b"]]))
    world.config.gateways.append(GatewaySettings(name: "mute", type: "mute", gateway: Mute()))
    world.config.contacts[0].routes = [Route(gateway: "mute")]
    world.reload(world.config)
    let id = world.press()
    world.run(for: .seconds(600))

    #expect(world.sent.count == 1)
    #expect(world.state(id, "mum") == "accepted")
  }

  /// Twilio's WhatsApp takes the message, which proves little, and `b` is still trying when the wearer cancels.
  @Test func aCancelledMessageIsNotReopenedByItsFate() {
    var world = Self.world { _ in "undelivered" }
    world.config.gateways.removeAll { $0.name == "sms" }
    world.config.gateways.append(World.twilio("sms", channel: .whatsapp))
    world.reload(world.config)
    world.servers["b"] = { $0.kind == "alert" ? .silent : .ok }
    let id = world.press()
    world.run(for: .milliseconds(2150))
    #expect(world.sent.last?.request.method == "GET", "asked, and not answered yet")
    _ = world.cancel()
    let alerts = world.sent.filter { $0.kind == "alert" }.count
    world.run(for: .seconds(60))

    #expect(world.sent.filter { $0.kind == "alert" }.count == alerts)
    #expect(world.state(id, "mum") == "cancelled")
  }

  @Test func anUnknownFateChangesNothing() {
    var outbox = Outbox()
    let key = Delivery.Key(alertID: "a", contactID: "mum", sequence: 0)
    let route = Route(gateway: "sms")
    outbox.add(
      Delivery(
        key: key, kind: .alert, facts: Facts(position: .unknown),
        contact: Contact(name: "Mum", id: "mum", routes: [route]),
        created: .zero, phase: .trying, state: .accepted))
    let before = outbox[key]

    #expect(outbox.fateLearned(key, by: route, .unknown, at: .zero, fraction: 0).isEmpty)
    #expect(outbox[key] == before)
    let other = Delivery.Key(alertID: "b", contactID: "mum", sequence: 0)
    #expect(outbox.fateLearned(other, by: route, .delivered, at: .zero, fraction: 0).isEmpty)
  }
}
