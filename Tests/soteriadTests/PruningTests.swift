import CSQLite
import DaemonCore
import Testing

@testable import soteriad

@Suite struct PruningTests {
  let state: Scratch
  let runtime: Scratch
  private let keeper: OutboxKeeper
  private static let ended = 300
  /// Such that a step ends amid an alert.
  private static let contacts = 2
  private static let keepOne = Pruning(keepNewest: 1, before: nil)

  init() throws {
    state = try Scratch()
    runtime = try Scratch()
    keeper = OutboxKeeper(stateDirectory: state.path, runtimeDirectory: runtime.path)
    _ = keeper.open(at: .zero)
  }

  @Test func keepsWhatIsNeeded() {
    for (index, id) in ["old", "pending", "open", "a", "b", "c"].enumerated() {
      let isOpen = id == "open"
      put(rows(id, pending: id == "pending", ended: !isOpen, pressedAt: Int64(index) * 1000))
    }

    prune(Pruning(keepNewest: 1000, before: nil))
    #expect(history().alerts.count == 6)
    prune(Pruning(keepNewest: 1000, before: 500))
    #expect(history().alerts.map(name) == ["c", "b", "a", "open", "pending"])
    prune(Pruning(keepNewest: 2, before: nil))

    #expect(history().alerts.map(name) == ["c", "b", "open", "pending"])
    #expect(history().deliveries.count == 4)
  }

  @Test func deletesFewRowsAtATime() throws {
    fill()
    keeper.prune(Self.keepOne)
    var left = Self.ended * (1 + Self.contacts)

    while keeper.isPruning {
      #expect(keeper.pruneFurther(at: .zero).isEmpty)
      let now = try count()
      #expect(left - now <= PruningWalk.mostDeleted)
      left = now
    }

    #expect(left == 1 + Self.contacts)
  }

  @Test func noReaderSeesHalfAnAlert() {
    fill()
    keeper.prune(Self.keepOne)

    while keeper.isPruning {
      _ = keeper.pruneFurther(at: .zero)
      for index in 0..<Self.ended {
        let seen = history(of: "\(index)")
        #expect(seen.deliveries.count == seen.alerts.count * Self.contacts)
      }
      let all = history()
      #expect(all.deliveries.count == all.alerts.count * Self.contacts)
    }
  }

  @Test func goesOnAfterAPowerCutBetweenSteps() throws {
    fill()
    keeper.prune(Self.keepOne)
    _ = keeper.pruneFurther(at: .zero)

    let after = try state.afterPowerCut()
    let next = OutboxKeeper(stateDirectory: after.path, runtimeDirectory: runtime.path)
    _ = next.open(at: .zero)
    // Of what was half gone, nothing may stay behind, even if nothing else is to go.
    next.prune(Pruning(keepNewest: Self.ended, before: nil))
    while next.isPruning { _ = next.pruneFurther(at: .zero) }
    _ = next.close()

    let alerts = Self.ended - PruningWalk.mostDeleted / (1 + Self.contacts) - 1
    #expect(try count(in: after) == alerts * (1 + Self.contacts))
  }

  @Test func whatComesMeanwhileIsDoneBeforeTheRest() throws {
    fill()
    var configs = ConfigKeeper(stateDirectory: state.path)
    let store = try OutboxStore(stateDirectory: state.path, runtimeDirectory: runtime.path)
    func turn() throws -> (left: Int, told: [Int]) {
      #expect(store.turn(keeper, &configs))
      let told = store.drain().compactMap { event in
        if case .stored(let batch) = event { batch } else { nil }
      }
      return (try count(), told)
    }
    let full = Self.ended * (1 + Self.contacts)
    let step = PruningWalk.mostDeleted

    store.prune(Self.keepOne)
    store.enqueue(batch: 1, rows("x", contacts: 1))
    #expect(try turn() == (full + 2, [1]))
    #expect(try turn() == (full + 2 - step, []))
    store.enqueue(batch: 2, rows("y", contacts: 1))
    #expect(try turn() == (full + 4 - step, [2]))
    #expect(keeper.isPruning)
    store.enqueue(batch: 3, rows("z", contacts: 1))
    #expect(try turn() == (full + 6 - step, [3]))
    while keeper.isPruning { _ = try turn() }

    #expect(history().alerts.map(name) == ["z", "y", "x"])
  }

  @Test func theThreadGoesOnUntilAllIsGone() throws {
    fill()
    _ = keeper.close()
    let bench = try StoreBench(state, runtime)

    bench.store.prune(Self.keepOne)

    // Whoever asks the store itself holds it up. A copy made while it writes may be odd, and is made again.
    func isDone() -> Bool { (try? count()) == 1 + Self.contacts }
    let end = Clocks.now + .seconds(60)
    while !isDone(), Clocks.now < end {}
    #expect(isDone())
    #expect(bench.history()?.deliveries.count == Self.contacts)
  }

  @Test func writesNothingWhenNothingIsToGo() throws {
    fill()
    let before = (state.bytes("outbox.db"), state.bytes("outbox.db-wal"))

    keeper.prune(Pruning(keepNewest: 1000, before: 0))
    _ = keeper.pruneFurther(at: .zero)

    #expect(!keeper.isPruning)
    #expect((state.bytes("outbox.db"), state.bytes("outbox.db-wal")) == before)
  }

  @Test func aStoreThatIsFoundDamagedGoesOn() throws {
    fill()
    try damage()

    keeper.prune(Self.keepOne)
    let told = keeper.pruneFurther(at: .zero)

    #expect(!keeper.isPruning)
    #expect(told.contains { if case .shellFault("store", .some) = $0 { true } else { false } })
    put(rows("new"))
    #expect(history(of: "new").alerts.count == 1)
  }

  @Test func whatTookTheNumbersOfRowsThatAreGoneStaysWhole() {
    let most = PruningWalk.mostDeleted
    put(rows("old", pending: false, ended: true, contacts: most - 1))
    keeper.prune(Pruning(keepNewest: 0, before: nil))
    _ = keeper.pruneFurther(at: .zero)
    #expect(keeper.isPruning)

    put(rows("new", pending: false, ended: true, contacts: most + 1))
    while keeper.isPruning { _ = keeper.pruneFurther(at: .zero) }

    #expect(history().alerts.map(name) == ["new"])
    #expect(history().deliveries.count == most + 1)
  }

  @Test func anotherFileIsGoneThroughFromItsBeginning() throws {
    fill()
    prune(Self.keepOne)
    put((0..<300).flatMap { rows("later \($0)", pending: false, ended: true) })
    keeper.prune(Pruning(keepNewest: 200, before: nil))
    _ = keeper.pruneFurther(at: .zero)
    #expect(keeper.isPruning)

    try damage()
    put((0..<600).flatMap { rows("\($0)", pending: false, ended: true) })
    #expect(state.names.contains { $0.contains("outbox.db.") })
    while keeper.isPruning { _ = keeper.pruneFurther(at: .zero) }

    #expect(history().alerts.map(name) == (400..<600).reversed().map { "\($0)" })
  }

  private func damage() throws {
    for file in ["outbox.db", "outbox.db-wal"] {
      try state.overwrite(file, from: 4096, with: [UInt8](repeating: 0xFF, count: state.bytes(file).count))
    }
  }

  private func fill() {
    put((0..<Self.ended).flatMap { rows("\($0)", pending: false, ended: true, contacts: Self.contacts) })
  }

  private func put(_ writes: [StoreWrite]) {
    #expect(keeper.store([0], writes, at: .zero).contains { if case .stored(0) = $0 { true } else { false } })
    keeper.tidy()
  }

  private func prune(_ pruning: Pruning) {
    keeper.prune(pruning)
    while keeper.isPruning { _ = keeper.pruneFurther(at: .zero) }
  }

  private func history(of id: String? = nil) -> (alerts: [String], deliveries: [String]) {
    let answer = keeper.history(ClientID(number: 1), of: id)
    guard case .historyRead(_, let alerts, let deliveries) = answer else { return ([], []) }
    return (alerts, deliveries)
  }

  /// Rows on the disk, had the power gone now.
  private func count(in place: Scratch? = nil) throws -> Int {
    let copy = try (place ?? state).afterPowerCut()
    let database = try SQLiteDatabase(path: copy.path + "/outbox.db", flags: SQLITE_OPEN_READWRITE)
    return Int(try database.integer("SELECT count(*) FROM records") ?? -1)
  }
}
