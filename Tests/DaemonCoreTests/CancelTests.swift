import Foundation
import Testing

@testable import DaemonCore

/// How alerts end: the cancel window, `soteriad cancel`, drills.
@Suite struct CancelTests {
  private static func windowed(_ window: Duration = .seconds(20)) -> World {
    var config = World.config()
    config.alert.cancelWindow = window
    return World(config)
  }

  @Test func holdsTheAlertForTheCancelWindowOnDisk() {
    var world = Self.windowed()
    let id = world.press()
    world.run(for: .milliseconds(19_999))
    #expect(world.sent.isEmpty)
    #expect(world.state(id, "mum") == "held")
    #expect(world.synced.deliveries.count == 1)

    world.run(for: .milliseconds(1))
    #expect(world.sent.map(\.kind) == ["alert"])
    world.run(for: .seconds(1))
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test func cancelledInTheWindowNobodyHearsOfIt() {
    var world = Self.windowed()
    let id = world.press()
    world.run(for: .seconds(10))
    #expect(world.cancel()?["text"]?.string == "alert \(id) cancelled; nobody had been told")
    world.run(for: .seconds(3600))

    #expect(world.sent.isEmpty)
    #expect(world.state(id, "mum") == "cancelled")
    world.restart()
    world.run(for: .seconds(3600))
    #expect(world.sent.isEmpty)
  }

  @Test(arguments: [true, false]) func aStartThatFindsAHeldAlertSendsItAtOnce(_ sameBoot: Bool) {
    var world = Self.windowed()
    let id = world.press()
    world.run(for: .seconds(1))
    world.restart(sameBoot: sameBoot, off: .milliseconds(500))

    #expect(world.sent.map(\.alertID) == [id])
    world.run(for: .seconds(1))
    #expect(world.state(id, "mum") == "accepted")
    #expect(world.engine.book[id]?.state == .open)
  }

  @Test func aWindowShorterThanTheDisksAnswerStillWaitsForTheDisk() {
    var world = Self.windowed(.milliseconds(100))
    world.disk = .writes(after: .milliseconds(300))
    world.press()
    world.run(for: .milliseconds(299))
    #expect(world.sent.isEmpty)
    world.run(for: .milliseconds(2))
    #expect(world.sent.count == 1)
  }

  @Test func theWindowWaitsForNoDiskForLongerThanItsPatience() {
    var world = Self.windowed(.milliseconds(100))
    world.disk = .stalls
    world.press()
    world.run(for: .milliseconds(500))
    #expect(world.sent.count == 1)
  }

  @Test func tellsTheAllClearToEveryoneWhoMayHaveHeard() {
    var world = World(World.config([["a"], ["b"], ["c"]]))
    world.servers["b"] = { _ in .silent }
    world.servers["c"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(3))
    let before = world.sent.count
    let sentence = world.cancel()?["text"]?.string
    world.run(for: .seconds(2))

    #expect(sentence == "alert \(id) ended; all-clear goes to Mum, Dad, Kim")
    #expect(Set(world.sent.dropFirst(before).map { "\($0.contact) \($0.kind)" }).count == 3)
    #expect(world.sent.dropFirst(before).allSatisfy { $0.kind == "all-clear" && $0.sequence == 1 })
  }

  @Test func sendsNothingOfACancelledAlertAnyMore() {
    var world = World(World.config([["a"]]))
    world.servers["a"] = { $0.kind == "all-clear" ? .ok : .down }
    let id = world.press()
    world.run(for: .seconds(10))
    _ = world.cancel()
    let cancelled = world.now
    world.servers["a"] = nil
    world.run(for: .seconds(3600))

    #expect(world.sent.filter { $0.at >= cancelled }.map(\.kind) == ["all-clear"])
    #expect(world.state(id, "mum") == "cancelled")
    #expect(world.press() != id)
  }

  @Test func anotherFormOfACancelledMessageIsNotTriedEither() {
    var world = World(World.config([["a"]]))
    let gateway = WhatsApp(
      baseURL: "https://wa", phoneNumberID: "1", accessToken: "t", apiVersion: "v23.0",
      template: WhatsAppTemplate(name: "help", language: "en"))
    world.config.gateways.append(GatewaySettings(name: "wa", type: "whatsapp", gateway: gateway))
    world.config.contacts[0].routes = [Route(gateway: "wa", to: "+628110000000")]
    world.reload(world.config)
    world.servers["wa"] = { _ in
      .answers(Sample.answer(400, #"{"error":{"code":132001,"message":"no template"}}"#), after: .seconds(2))
    }
    world.press()
    world.run(for: .seconds(1))
    _ = world.cancel()
    let before = world.sent.count
    world.run(for: .milliseconds(1500))

    #expect(
      world.sent.dropFirst(before).allSatisfy {
        !String(decoding: $0.request.body ?? [], as: UTF8.self).contains("needs help")
      })
  }

  @Test func anAcceptanceThatComesAfterTheCancelIsToldAsItIs() {
    var world = World(World.config([["a"]]))
    world.servers["a"] = { _ in .answers(Response(status: 200), after: .seconds(3)) }
    let id = world.press()
    world.run(for: .seconds(1))
    _ = world.cancel()
    world.run(for: .seconds(30))

    #expect(world.state(id, "mum") == "accepted")
  }

  @Test func aPressOrATryBeforeAPowerCutCountsAsHeard() {
    var world = World()
    world.servers["mum.example"] = { _ in .silent }
    let id = world.press()
    world.run(for: .seconds(1))
    world.servers["mum.example"] = nil
    world.restart()
    #expect(world.cancel()?["text"]?.string == "alert \(id) ended; all-clear goes to Mum")
    world.run(for: .seconds(1))
    #expect(world.sent.last?.kind == "all-clear")
  }

  @Test func cancelWithoutAnAlertSaysSo() {
    var world = World()
    #expect(world.cancel()?["error"]?.string == "no alert is open")
  }

  @Test func aDrillJoinsNothingAndNothingJoinsIt() {
    var world = World()
    let drill = world.press(drill: true)
    let alert = world.press()
    let second = world.press(drill: true)
    world.run(for: .seconds(1))

    #expect(Set([drill, alert, second]).count == 3)
    #expect(world.sent.map(\.kind) == ["drill", "alert", "drill"])
  }

  @Test func aDrillEndsOnceEveryoneHasIt() {
    var world = World(World.config([["a"], ["b"]]))
    let id = world.press(drill: true)
    world.run(for: .seconds(1))

    #expect(world.engine.book[id] == nil)
    #expect(world.state(id, "mum") == "accepted")
    #expect(world.engine.status.alerts.isEmpty)
  }

  @Test func aDrillThatNobodyTakesEndsAfterTenMinutesWithAllItsMessages() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    let id = world.press(drill: true)
    world.run(for: .seconds(599))
    #expect(world.engine.book[id]?.state == .open)
    world.run(for: .seconds(2))
    #expect(world.state(id, "mum") == "expired")
    world.servers["mum.example"] = nil
    world.feed(.networkChanged)
    let before = world.sent.count
    world.run(for: .seconds(3600))

    #expect(world.sent.count == before)
    #expect(world.engine.book[id] == nil)
  }

  @Test(arguments: [Duration.zero, .seconds(60)])
  func theIdOfAPressIsToldWhenADiskHasItOrHasHadItsTime(window: Duration) {
    var config = World.config()
    config.alert.cancelWindow = window
    var world = World(config)
    let first = world.press(client: 5)
    #expect(world.replies.isEmpty)
    world.run(for: .milliseconds(100))
    #expect(world.replies.map { $0.line["text"]?.string } == [first])
    _ = world.cancel()

    world.disk = .stalls
    let second = world.press(client: 6)
    let told = world.replies.count
    world.run(for: .milliseconds(499))
    #expect(world.replies.count == told)
    world.run(for: .milliseconds(1))
    #expect(world.replies.last?.line["text"]?.string == second)
    #expect(world.replies.last?.last == true)
  }

  @Test func whoeverIsOwedAnIdHasItBeforeTheStop() {
    var world = World()
    world.disk = .stalls
    let id = world.press(client: 5)

    world.feed(.stopRequested)

    #expect(world.replies.last?.line["text"]?.string == id)
  }

  @Test func whoWaitsForNoTimeIsToldOnceTheDiskHasIt() {
    var world = World()
    world.feed(.commanded(ClientID(number: 5), .press(drill: false, wait: .zero)))
    world.run(for: .seconds(1))

    #expect(world.replies.map { $0.line["exit"]?.integer } == [nil, 1])
  }

  @Test func waitingForADrillTellsWhenEveryoneHasIt() {
    var world = World()
    world.feed(.commanded(ClientID(number: 5), .press(drill: true, wait: .seconds(30))))
    world.run(for: .seconds(1))

    #expect(world.replies.map { $0.line["exit"]?.integer } == [nil, 0])
    #expect(world.replies.map(\.last) == [false, true])
  }

  @Test func waitingInVainNamesWhoDoesNotHaveIt() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    world.feed(.commanded(ClientID(number: 5), .press(drill: false, wait: .seconds(30))))
    world.run(for: .seconds(31))

    #expect(world.replies.last?.line["exit"]?.integer == 1)
    #expect(world.replies.last?.line["text"]?.string?.contains("Mum: mum.example: cannot connect") == true)
  }
}
