import Foundation
import Testing

@testable import DaemonCore

/// From the press to the first try: what must be on disk, and for how long anyone waits for it.
@Suite struct AlertLifeTests {
  @Test func sendsOnlyWhatIsStored() {
    var world = World()
    world.disk = .writes(after: .milliseconds(300))
    world.press()

    world.run(for: .milliseconds(299))
    #expect(world.sent.isEmpty)
    world.run(for: .milliseconds(2))
    #expect(world.sent.count == 1)
    #expect(world.synced.deliveries.count == 1)
  }

  @Test func sendsFromMemoryAndSaysSoWhenTheDiskFails() {
    var world = World()
    world.disk = .fails("no space left on device")
    world.press()

    world.run(for: .milliseconds(10))
    #expect(world.sent.count == 1)
    #expect(world.logged(.critical, "no space left on device"))
    #expect(world.engine.status.problems.contains(.notDurable("no space left on device")))
  }

  @Test func waitsHalfASecondForASilentDiskAndNoLonger() {
    var world = World()
    world.run(for: .seconds(1))
    world.disk = .stalls
    world.press()

    world.run(for: .milliseconds(499))
    #expect(world.sent.isEmpty)
    world.run(for: .milliseconds(1))
    #expect(world.sent.count == 1)
    #expect(!world.engine.status.outbox.isDurable)
    #expect(world.logged(.critical, "not on disk"))
  }

  @Test func isDurableAgainWhenTheLateBatchIsStoredAfterAll() {
    var world = World()
    world.disk = .writes(after: .seconds(30))
    world.press()
    world.run(for: .seconds(2))
    #expect(!world.engine.status.outbox.isDurable)

    world.disk = .writes(after: .milliseconds(1))
    world.run(for: .seconds(60))
    #expect(world.engine.status.outbox.isDurable)
    #expect(world.logged(.notice, "works again"))
  }

  @Test func tellsEveryContactAtOnceByTheirFirstRoute() {
    var world = World(World.config([["a", "b"], ["b", "a"], ["c"]]))
    world.press()

    world.run(for: .milliseconds(20))
    #expect(Set(world.sent.map { "\($0.contact) \($0.host)" }) == ["Mum a", "Dad b", "Kim c"])
    #expect(Set(world.sent.map(\.at)).count == 1)
  }

  @Test func sendsThePositionThatWasKnownAtThePressAtEveryTry() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    world.fix(-6.1)
    world.press()
    world.run(for: .seconds(5))
    world.fix(-7.2)
    world.run(for: .seconds(60))

    #expect(world.sent.count > 3)
    #expect(
      world.sent.filter { $0.kind == "alert" }.allSatisfy {
        $0.document?["position"]?["lat"]?.double == -6.1
      })
  }

  @Test func givesEveryTryTheSameKeyAndAnExchangeOfItsOwn() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(300))

    #expect(world.sent.count > 5)
    #expect(Set(world.sent.map(\.key)) == ["\(id)/mum/0"])
    #expect(Set(world.sent.map(\.id)).count == world.sent.count)
  }

  @Test func ignoresAnAnswerToNothing() {
    var world = World()
    let id = world.press()
    world.run(for: .seconds(1))
    let before = world.sent.count

    world.feed(.responded(ExchangeID(number: 999), .success(Response(status: 200))))
    world.feed(.responded(world.sent[0].id, .failure(TransportFailure(kind: .broken))))
    world.run(for: .seconds(60))
    #expect(world.sent.count == before)
    #expect(world.delivery(id, "mum")?.state == .accepted)
  }

  @Test func stopsTryingOnceAccepted() {
    var world = World(World.config([["a", "b"]]))
    let id = world.press()
    world.run(for: .seconds(600))

    #expect(world.sent.map(\.host) == ["a"])
    #expect(world.delivery(id, "mum")?.state == .accepted)
    #expect(world.delivery(id, "mum")?.route == "a")
    #expect(world.delivery(id, "mum")?.attempts == 1)
  }

  @Test func oldAlertsAreDroppedAfterEvery64ThatEnded() {
    var world = World()
    world.run(for: .seconds(1))
    #expect(world.prunes == 1, "one at the start")
    for number in 1...128 {
      world.press(drill: true)
      world.run(for: .seconds(1))
      #expect(world.engine.book.all.isEmpty)
      #expect(world.prunes == 1 + number / 64)
    }
  }
}
