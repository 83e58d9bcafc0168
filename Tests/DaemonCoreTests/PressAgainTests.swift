import Foundation
import Testing

@testable import DaemonCore

/// Presses while an alert is open, and updates.
@Suite struct PressAgainTests {
  @Test func joinsWithinAMinute() {
    var world = World()
    let id = world.press()
    for _ in 0..<5 {
      world.run(for: .seconds(11))
      #expect(world.press() == id)
    }
    world.run(for: .seconds(4))

    #expect(world.sent.map(\.kind) == ["alert"])
  }

  @Test func tellsEveryoneWhenPressedAgainAfterAMinute() {
    var world = World(World.config([["a"], ["b"]]))
    let id = world.press()
    world.run(for: .seconds(60))
    world.fix(-7)
    #expect(world.press() == id)
    world.run(for: .seconds(1))

    let updates = world.sent.filter { $0.kind == "update" }
    #expect(Set(updates.map(\.contact)) == ["Mum", "Dad"])
    #expect(updates.allSatisfy { $0.reason == "pressed-again" && $0.sequence == 1 && $0.alertID == id })
    #expect(updates.allSatisfy { $0.document?["position"]?["lat"]?.double == -7 })
  }

  @Test func tellsThatItWasPressedAgainAtMostOnceAMinute() {
    var world = World()
    world.press()
    world.run(for: .seconds(60))
    for _ in 0..<30 {
      world.press()
      world.run(for: .seconds(10))
    }

    #expect(world.sent.filter { $0.reason == "pressed-again" }.count == 5)
  }

  @Test func losesNoPressWithTheNetworkDown() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    let id = world.press()
    for _ in 0..<5 {
      world.run(for: .seconds(2))
      #expect(world.press() == id)
    }
    world.run(for: .seconds(60))
    #expect(world.press() == id)
    world.run(for: .seconds(20))
    world.servers["mum.example"] = nil
    world.feed(.networkChanged)
    world.run(for: .seconds(30))

    #expect(world.state(id, "mum", 0) == "accepted")
    #expect(world.state(id, "mum", 1) == "accepted")
    #expect(world.delivery(id, "mum", 1)?.reason == .pressedAgain)
  }

  @Test func raisesANewAlertAfterTheOldOneClosed() {
    var world = World()
    let first = world.press()
    world.run(for: .seconds(1800))
    let second = world.press()
    world.run(for: .seconds(1))

    #expect(first != second)
    #expect(world.sent.map(\.alertID) == [first, second])
    #expect(world.sent.map(\.kind) == ["alert", "alert"])
  }

  @Test func aJoinedPressKeepsTheAlertOpenForLongerAlsoAfterARestart() {
    var world = World()
    let id = world.press()
    world.run(for: .seconds(59))
    world.press()
    world.run(for: .seconds(1))
    world.restart(sameBoot: true, off: .zero)
    world.run(for: .seconds(1780))

    #expect(world.engine.book[id]?.state == .open)
  }

  @Test func aContactWhoCameWithAReloadIsToldWhenPressedAgain() {
    var world = World(World.config([["a"]]))
    let id = world.press()
    world.run(for: .seconds(61))
    world.reload(World.config([["a"], ["b"]]))
    world.press()
    world.run(for: .seconds(1))

    #expect(world.sent(to: "b").map(\.kind) == ["alert"])
    #expect(world.sent(to: "b").first?.alertID == id)
  }

  @Test func saysThatItIsLateAndWhereTheWearerIsNow() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    world.fix(-6)
    world.press()
    world.run(for: .seconds(100))
    #expect(!world.sent.contains { $0.text.contains("LATE") })
    world.run(for: .seconds(200))
    world.fix(-7)
    world.servers["mum.example"] = nil
    world.feed(.networkChanged)
    world.run(for: .seconds(10))

    let arrived = world.sent.suffix(2)
    #expect(arrived.map(\.kind) == ["alert", "update"])
    #expect(arrived.first?.text.hasPrefix("🆘 LATE:") == true)
    #expect(arrived.first?.document?["position"]?["lat"]?.double == -6)
    #expect(arrived.last?.reason == "late")
    #expect(arrived.last?.document?["position"]?["lat"]?.double == -7)
  }

  @Test func twoRoutesThatTakeALateAlertMakeOneUpdate() {
    var world = World(World.config([["a", "b"]]))
    world.servers["a"] = { _ in .down }
    world.servers["b"] = { _ in .down }
    world.press()
    world.run(for: .seconds(300))
    world.servers["a"] = { .answers(Response(status: 200), after: $0.kind == "alert" ? .seconds(8) : .zero) }
    world.servers["b"] = { .answers(Response(status: 200), after: $0.kind == "alert" ? .seconds(4) : .zero) }
    world.feed(.networkChanged)
    world.run(for: .seconds(60))

    #expect(world.sent.filter { $0.reason == "late" }.count == 1)
  }

  @Test func sendsThePositionPeriodicallyWhileThereIsNews() {
    var config = World.config()
    config.alert.updates = UpdateSettings()
    config.alert.updates?.during = .seconds(300)
    var world = World(config)
    world.press()
    for second in 0..<600 {
      if second < 200 { world.fix(-6 - Double(second) / 1000) }
      world.run(for: .seconds(1))
    }

    let updates = world.sent.filter { $0.kind == "update" }
    #expect(updates.map(\.sequence) == [1, 2, 3, 4])
    #expect(updates.allSatisfy { $0.reason == "position" })
    #expect(zip(updates.dropFirst(), updates).allSatisfy { $0.at - $1.at == .seconds(60) })
  }

  @Test func sendsNoPeriodicPositionUnlessAsked() {
    var world = World()
    world.press()
    for second in 0..<600 {
      world.fix(-6 - Double(second) / 1000)
      world.run(for: .seconds(1))
    }

    #expect(world.sent.map(\.kind) == ["alert"])
  }

  @Test func aNewerUpdateTakesThePlaceOfOneThatWaits() {
    var config = World.config()
    config.alert.updates = UpdateSettings()
    var world = World(config)
    world.press()
    world.run(for: .seconds(10))
    world.servers["mum.example"] = { _ in .down }
    for second in 0..<300 {
      world.fix(-6 - Double(second) / 1000)
      world.run(for: .seconds(1))
    }

    #expect(world.engine.outbox.pending.count == 1)
    #expect(world.engine.outbox.pending.first?.key.sequence == 5)
  }
}
