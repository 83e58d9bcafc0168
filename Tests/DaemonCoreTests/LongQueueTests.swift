import Testing

@testable import DaemonCore

/// An outage of days leaves a long queue. It must not stand in the way of anything.
@Suite struct LongQueueTests {
  static let length = 300

  /// So many messages queued for a gateway that is down, and one contact of another gateway.
  private func queued() -> World {
    var world = World(World.config([["down.example"], ["up.example"]]))
    world.servers["down.example"] = { _ in .silent }
    for _ in 0..<Self.length { world.press(drill: true) }
    world.run(for: .milliseconds(20))
    world.restart(sameBoot: true, off: .zero)
    return world
  }

  @Test func onlySoManyOldMessagesAreTriedAtOnce() {
    var world = queued()
    let before = world.sent.count

    world.run(for: .seconds(4))

    let tried = world.sent.dropFirst(before).filter { $0.host == "down.example" }
    #expect(tried.count == Outbox.mostAtOnce)
  }

  @Test func aDeadGatewayHoldsUpNothingOfAnother() {
    var world = queued()
    let before = world.sent(to: "up.example").count

    world.run(for: .seconds(10))

    #expect(world.sent(to: "up.example").count - before == Self.length)
  }

  @Test func aPressGoesOutFirst() {
    var world = queued()
    world.run(for: .seconds(1))
    let id = world.press()
    let before = world.sent.count

    world.run(for: .milliseconds(20))

    let since = world.sent.dropFirst(before).prefix(2)
    #expect(since.map(\.alertID) == [id, id])
    let unstored = since.filter { !$0.isStored }
    #expect(unstored.isEmpty)
  }

  @Test func everyMessageOfALongQueueArrives() {
    var world = queued()
    world.run(for: .seconds(20))
    world.servers["down.example"] = nil

    world.run(for: .seconds(120))

    #expect(world.engine.outbox.pendingCount == 0)
    #expect(world.engine.outbox.keys.isEmpty, "nothing of a drill that is over stays")
    let left = world.synced.deliveries.filter(\.pending)
    #expect(left.isEmpty)
  }

  @Test func anAgendaIsInOrderOfInstantsAndThenOfArrival() {
    var agenda = Agenda()
    var entropy = Entropy(high: 3, low: 4)
    for serial in 0..<500 {
      let due = BootTime(nanoseconds: Int64(entropy.fraction() * 50))
      agenda.add(Agenda.Entry(due: due, serial: serial, slot: 499 - serial))
    }

    var taken: [Agenda.Entry] = []
    while let first = agenda.first {
      taken.append(first)
      agenda.removeFirst()
    }

    let isSorted = zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 }
    #expect(isSorted)
    #expect(taken.count == 500)
  }
}
