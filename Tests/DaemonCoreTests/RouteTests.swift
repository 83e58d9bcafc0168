import Foundation
import Testing

@testable import DaemonCore

/// Which route is tried when.
@Suite struct RouteTests {
  private static let refusal = Sample.answer(400, #"{"code":21211,"message":"Invalid 'To'"}"#)

  /// Mum by Twilio (host `sms`) with the webhooks after it.
  private static func world(_ others: [String], contacts: Int = 1) -> World {
    var config = World.config(Array(repeating: others.isEmpty ? ["x"] : others, count: contacts))
    config.gateways.append(World.twilio("sms"))
    config.contacts[0].routes.insert(Route(gateway: "sms", to: "+628110000000"), at: 0)
    if others.isEmpty { config.contacts[0].routes.removeLast() }
    return World(config)
  }

  @Test func goesToTheNextRouteAtOnceWhenOneFails() {
    var world = World(World.config([["a", "b", "c"]]))
    world.servers["a"] = { _ in .down }
    world.servers["b"] = { _ in .answers(Response(status: 503)) }
    world.press()
    world.run(for: .seconds(1))

    #expect(world.sent.map(\.host) == ["a", "b", "c"])
    #expect(world.sent[1].at - world.sent[0].at == .milliseconds(100))
    #expect(world.sent[2].at - world.sent[1].at == .milliseconds(100))
  }

  @Test func givesASlowRouteCompanyAfterFiveSecondsAndLetsItFinish() {
    var world = World(World.config([["a", "b"]]))
    world.servers["a"] = { _ in .answers(Response(status: 200), after: .seconds(7)) }
    world.servers["b"] = { _ in .silent }
    let id = world.press()
    world.run(for: .seconds(30))

    #expect(world.sent.map(\.host) == ["a", "b"])
    #expect(world.sent[1].at - world.sent[0].at == .seconds(5))
    #expect(world.delivery(id, "mum")?.route == "a")
    #expect(world.delivery(id, "mum")?.state == .accepted)
  }

  @Test func aSilentServerDelaysNobodyElse() {
    var world = World(World.config([["a"], ["b"]]))
    world.servers["a"] = { _ in .silent }
    world.press()
    world.run(for: .seconds(61))
    world.press()
    world.run(for: .seconds(3))

    #expect(world.sent(to: "b").count == 2)
    #expect(world.sent(to: "b").allSatisfy { $0.kind == "alert" || $0.reason == "pressed-again" })
    // A total deadline of 15 s holds for each try, and more tries follow.
    #expect(world.sent(to: "a").count > 3)
  }

  @Test func aRefusalOfOneContactConcernsNobodyElse() {
    var world = Self.world(["b"], contacts: 2)
    world.config.contacts[0].routes.removeLast()
    world.reload(world.config)
    world.servers["sms"] = { _ in .answers(Self.refusal) }
    let id = world.press()
    world.run(for: .seconds(1))

    #expect(world.delivery(id, "dad")?.state == .accepted)
    #expect(world.delivery(id, "dad")?.attempts == 1)
    #expect(world.delivery(id, "mum")?.state == .refused)
    let reason = "sms: not a valid phone number (21211)"
    #expect(world.engine.status.problems.contains(.refused(contact: "Mum", reason: reason)))
  }

  @Test func triesARefusedRouteHourly() {
    var world = Self.world([])
    world.servers["sms"] = { _ in .answers(Self.refusal) }
    world.press()
    world.run(for: .seconds(4 * 3600 + 60))

    let gaps = zip(world.sent.dropFirst(), world.sent).map { $0.at - $1.at }
    #expect(world.sent.count == 5)
    #expect(gaps.allSatisfy { $0 >= .seconds(3600) && $0 < .seconds(3602) })
  }

  @Test func triesARefusedRouteAtOnceAfterAReload() {
    var world = Self.world([])
    world.servers["sms"] = { _ in .answers(Self.refusal) }
    let id = world.press()
    world.run(for: .seconds(60))
    #expect(world.sent.count == 1)

    world.servers["sms"] = { _ in .answers(Sample.answer(201, #"{"sid":"SM1","status":"queued"}"#)) }
    world.reload(world.config)
    world.run(for: .seconds(1))
    #expect(world.sent.filter { $0.request.method == "POST" }.count == 2)
    #expect(world.delivery(id, "mum")?.state == .accepted)
  }

  @Test func triesARefusedRouteLast() {
    var world = Self.world(["b"])
    world.servers["sms"] = { _ in .answers(Self.refusal) }
    world.servers["b"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(3600 + 400))

    #expect(world.sent(to: "sms").count == 2)
    #expect(world.sent(to: "b").count > 50)
    #expect(world.delivery(id, "mum")?.state == .pending)
    let again = world.sent.firstIndex { $0.host == "sms" && $0.at > .zero + .seconds(1000) }
    #expect(again.map { world.sent[$0 - 1].host } == "b")
  }

  @Test func goesOnAfterARouteWhoseAcceptanceProvesLittle() {
    var world = World(World.config([["b"]]))
    world.config.gateways.append(World.twilio("wa", channel: .whatsapp))
    world.config.contacts[0].routes.insert(Route(gateway: "wa", to: "+628110000000"), at: 0)
    world.reload(world.config)
    world.servers["wa"] = { _ in .answers(Sample.answer(201, #"{"sid":"SM1","status":"queued"}"#)) }
    world.servers["b"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(60))
    #expect(world.delivery(id, "mum")?.state == .accepted)
    #expect(world.delivery(id, "mum")?.isEnded == false)

    world.servers["b"] = nil
    world.run(for: .seconds(120))
    #expect(world.delivery(id, "mum")?.isEnded == true)
    #expect(world.delivery(id, "mum")?.route == "b")
    #expect(world.sent(to: "wa").filter { $0.request.method == "POST" }.count == 1)
  }

  @Test func countsTheWholeAsAcceptedWhereAllRoutesProveLittle() {
    var world = World(World.config([["b"]]))
    world.config.gateways.append(World.twilio("wa", channel: .whatsapp))
    world.config.contacts[0].routes = [Route(gateway: "wa", to: "+628110000000")]
    world.reload(world.config)
    world.servers["wa"] = { _ in .answers(Sample.answer(201, #"{"sid":"SM1","status":"queued"}"#)) }
    let id = world.press()
    world.run(for: .seconds(1))

    #expect(world.delivery(id, "mum")?.state == .accepted)
    #expect(world.delivery(id, "mum")?.isEnded == true)
  }

  @Test func aSlowRouteThatFailsAfterAllStartsNothingBesideItsCompany() {
    var world = World(World.config([["a", "b", "c"]]))
    world.servers["a"] = { _ in .breaks(.broken, after: .seconds(7)) }
    world.servers["b"] = { _ in .answers(Response(status: 200), after: .seconds(4)) }
    let id = world.press()
    world.run(for: .seconds(60))

    #expect(world.sent.map(\.host) == ["a", "b"])
    #expect(world.delivery(id, "mum")?.route == "b")
  }

  /// Has no words for anything.
  private struct Speechless: Gateway {
    var baseURL: String { "https://mute" }
    func steps(for message: Message) -> [Step] { [] }
    func outcome(of response: Response, to step: Step) -> Outcome { .refused(reason: "never asked") }
  }

  @Test func aGatewayThatCannotSayItIsPassedOver() {
    var config = World.config([["b"]])
    config.gateways.append(GatewaySettings(name: "mute", type: "mute", gateway: Speechless()))
    config.contacts[0].routes.insert(Route(gateway: "mute"), at: 0)
    var world = World(config)
    let id = world.press()
    world.run(for: .seconds(1))

    #expect(world.sent.map(\.host) == ["b"])
    #expect(world.state(id, "mum") == "accepted")
    #expect(world.delivery(id, "mum")?.lastError == "mute: the gateway has no way to send this")
  }
}
