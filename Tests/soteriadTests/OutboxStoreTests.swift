import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct OutboxStoreTests {
  let state: Scratch
  let runtime: Scratch

  init() throws {
    state = try Scratch()
    runtime = try Scratch()
  }

  @Test func whatWasStoredIsThereAfterAPowerCut() throws {
    let bench = try StoreBench(state, runtime)
    #expect(bench.put(1, rows("A", contacts: 2)) == true)
    #expect(bench.put(2, rows("B") + [.note(.position, document: "here")]) == true)

    let after = try state.afterPowerCut()
    let loaded = try #require(try StoreBench(after, runtime).loaded())

    #expect(loaded.alerts.map(name) == ["A", "B"])
    #expect(loaded.deliveries.count == 3)
    #expect(loaded.notes == [.position: "here"])
    #expect(loaded.damage == [])
  }

  @Test func theNewestDocumentOfARowWins() throws {
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("A"))
    _ = bench.put(
      2, [.delivery(alertID: "A", contactID: "c0", sequence: 0, pending: true, document: "newer")])
    bench.stop()

    #expect(try StoreBench(state, runtime).loaded()?.deliveries == ["newer"])
  }

  @Test func onlyWhatIsNotOverIsLoaded() throws {
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("over", pending: false, ended: true) + rows("open", pending: false))
    _ = bench.put(2, rows("pending", pending: true, ended: true))
    bench.stop()

    let loaded = try StoreBench(state, runtime).loaded()

    #expect(loaded?.alerts.map(name) == ["open", "pending"])
    #expect(loaded?.deliveries.map(name) == ["open", "pending"])
  }

  @Test func documentsComeBackByteForByte() throws {
    let document = "{\"name\":\"Ayu 🐝\",\"nul\":\"\u{0}\",\"quote\":\"';--\"}"
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, [.alert(id: "A", ended: false, pressedAt: 0, document: document)])
    bench.stop()

    #expect(try StoreBench(state, runtime).loaded()?.alerts == [document])
  }

  @Test func filesAreForTheirOwnerAlone() throws {
    let place = state.path + "/new"
    let bench = try StoreBench(state: place, runtime: runtime.path)
    #expect(bench.put(1, rows("A")) == true)

    #expect(state.mode("new") == 0o700)
    #expect(state.mode("new/outbox.db") == 0o600)
    #expect(state.mode("new/outbox.db-wal") == 0o600)
  }

  @Test func historyIsTheNewestThousandOrTheOneAskedFor() throws {
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, (0..<1010).flatMap { rows("\($0)", pending: false, ended: true) })

    let all = bench.history(client: 1)
    let one = bench.history("5", client: 2)

    #expect(all?.alerts.first.map(name) == "1009")
    #expect((all?.alerts.count ?? 0) <= 1000)
    #expect(one?.alerts.map(name) == ["5"])
    #expect(one?.deliveries.map(name) == ["5"])
    #expect(bench.history("none", client: 3)?.alerts == [])
  }

  @Test func noHistoryFillsTheMemory() throws {
    let bench = try StoreBench(state, runtime)
    let long = String(repeating: "x", count: 10_000)
    _ = bench.put(
      1, (0..<1000).map { .alert(id: "\($0)", ended: true, pressedAt: 0, document: "alert \($0) \(long)") })

    let all = try #require(bench.history())

    #expect(all.alerts.first.map(name) == "999")
    #expect(all.alerts.reduce(0) { $0 + $1.utf8.count } < 2_000_000)
  }

  @Test func stopFinishesWhatWasHandedOver() throws {
    let bench = try StoreBench(state, runtime)
    for batch in 0..<50 { bench.store.enqueue(batch: batch, rows("\(batch)")) }

    #expect(bench.stop())
    #expect(try StoreBench(state, runtime).loaded()?.alerts.count == 50)
  }

  @Test func theCommandLineReadsTheStoreWithoutADaemon() throws {
    #expect(try StoreHistory(stateDirectory: state.path, alertID: nil).alerts == [])
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("A") + rows("B"))
    bench.stop()

    let all = try StoreHistory(stateDirectory: state.path, alertID: nil)
    let one = try StoreHistory(stateDirectory: state.path, alertID: "A")

    #expect(all.alerts.map(name) == ["B", "A"])
    #expect(one.deliveries.map(name) == ["A"])
  }

  @Test func lastGoodConfigurationsAreKeptOnce() throws {
    let bench = try StoreBench(state, runtime)
    bench.store.keepConfig(.loaded, text: "{}")
    bench.store.keepConfig(.proven, text: "{ }")
    _ = bench.put(1, rows("A"))
    let first = try FileManager.default.attributesOfItem(atPath: state.path + "/config.loaded.json")
    bench.store.keepConfig(.loaded, text: "{}")
    _ = bench.put(2, rows("B"))
    let second = try FileManager.default.attributesOfItem(atPath: state.path + "/config.loaded.json")

    #expect(state.bytes("config.loaded.json") == Array("{}".utf8))
    #expect(state.bytes("config.proven.json") == Array("{ }".utf8))
    #expect(state.mode("config.loaded.json") == 0o600)
    #expect(first[.systemFileNumber] as? Int == second[.systemFileNumber] as? Int)
  }
}
