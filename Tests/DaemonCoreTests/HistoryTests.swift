import Foundation
import Testing

@testable import DaemonCore

/// `alerts`, the watchdog and the status line over time.
@Suite struct HistoryTests {
  @Test func listsNewestFirstWithOneRowAContactAndMessage() {
    var world = World(World.config([["a"], ["b"]]))
    world.servers["b"] = { _ in .down }
    let first = world.press()
    world.run(for: .seconds(2000))
    let second = world.press()
    world.run(for: .seconds(5))
    let list = world.history()?.array ?? []

    #expect(list.map { $0["id"]?.string } == [second, first])
    let rows = list.first?["deliveries"]?.array ?? []
    #expect(rows.map { $0["contact"]?.string } == ["Dad", "Mum"])
    #expect(rows.map { $0["state"]?.string } == ["pending", "accepted"])
    #expect(rows.first?["last_error"]?.string == "b: cannot connect")
    #expect(rows.last?["last_error"] == JSON.null)
    #expect(rows.last?["route"]?.string == "a")
  }

  @Test func listsOnlyTheAlertThatWasAskedFor() {
    var world = World()
    let first = world.press()
    world.run(for: .seconds(2000))
    let second = world.press()
    world.run(for: .seconds(5))

    #expect(world.history(first)?.array?.map { $0["id"]?.string } == [first])
    #expect(world.history(second)?.array?.map { $0["id"]?.string } == [second])
    #expect(world.history("unknown")?.array?.count == 0)
  }

  @Test func listsWhatTheDiskDoesNotTake() {
    var world = World()
    world.disk = .fails("read-only file system")
    let id = world.press()
    world.run(for: .seconds(1))

    #expect(world.history()?.array?.first?["id"]?.string == id)
  }

  @Test func pingsTheWatchdogByItsOwnProgressOnly() {
    var world = World()
    world.servers["mum.example"] = { _ in .silent }
    world.disk = .stalls
    world.engine = Engine(
      identity: Engine.Identity(version: "0.0.0", bootID: "boot-1", pingInterval: .seconds(5)))
    world.feed(.configRead(.good(world.config, text: "{}", warnings: [])))
    world.press()
    world.run(for: .seconds(300))

    let gaps = zip(world.pings.dropFirst(), world.pings).map { $0 - $1 }
    #expect(world.pings.count == 60)
    #expect(gaps.allSatisfy { $0 == .seconds(5) })
  }

  @Test func theStatusLineIsShortAndNeverSaysWhere() {
    let long = String(repeating: "Siti Nurhaliza ", count: 20)
    var config = World.config([["a"], ["b"], ["c"]])
    for index in config.contacts.indices { config.contacts[index].name = "\(long)\(index)" }
    var world = World(config)
    for host in ["a", "b", "c"] { world.servers[host] = { _ in .down } }
    world.fix(-6.1754)
    world.press()
    world.disk = .fails(long)
    world.feed(.shellFault(name: "x", problem: long + "\nREADY=0"))
    world.run(for: .seconds(600))

    let lines = world.notifications.compactMap { notification -> String? in
      switch notification {
      case .status(let line), .ready(let line): line
      case .reloading, .stopping, .watchdog: nil
      }
    }
    #expect(lines.count > 2)
    #expect(lines.allSatisfy { $0.unicodeScalars.count <= 120 && !$0.contains("\n") })
    #expect(lines.allSatisfy { !$0.contains("6.17") && !$0.contains("106.8") })
  }

  @Test func theStatusDoesNotFlickerWithEveryTry() {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    world.press()
    world.run(for: .seconds(3600))

    #expect(world.sent.count > 50)
    #expect(world.notifications.count < 6)
  }

  @Test func tellsTheSameTroubleOnce() {
    var world = World(World.config([["a", "b"]]))
    world.servers["a"] = { _ in .down }
    world.servers["b"] = { _ in .answers(Response(status: 503)) }
    world.press()
    world.run(for: .seconds(3600))

    #expect(world.logs.filter { $0.level <= .warning && $0.text.contains("failed") }.count == 2)
    #expect(world.logs.allSatisfy { !$0.text.contains("https://") })
  }
}
