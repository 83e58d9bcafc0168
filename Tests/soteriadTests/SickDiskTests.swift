import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// A disk that is full, has no names left, is read-only, lives in memory or belongs to someone else.
@Suite struct SickDiskTests {
  let runtime: Scratch

  init() throws {
    runtime = try Scratch()
  }

  @Test func twoHundredAlertsFitOnAFullDisk() throws {
    let state = try Scratch(options: "size=1m")
    let bench = try StoreBench(state, runtime)
    #expect(bench.put(1, rows("first")) == true)
    state.fill()

    let stored = (0..<200).filter { bench.put(100 + $0, rows("\($0)")) == true }

    #expect(stored.count == 200)
    let after = try state.afterPowerCut()
    #expect(try StoreBench(after, Scratch()).loaded()?.alerts.count == 201)
  }

  @Test func soTheyDoAfterARestartOnTheFullDisk() throws {
    let state = try Scratch(options: "size=1m")
    let first = try StoreBench(state, runtime)
    for batch in 0..<20 { _ = first.put(batch, rows("before \(batch)")) }
    first.stop()
    state.fill()

    let bench = try StoreBench(state, runtime)
    #expect(bench.loaded()?.alerts.count == 20)
    let stored = (0..<150).filter { bench.put(100 + $0, rows("\($0)")) == true }

    #expect(stored.count == 150)
  }

  @Test func whatDoesNotFitIsStoredOnceThereIsRoom() throws {
    let state = try Scratch(options: "size=1m")
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("first"))
    state.fill()
    let failed = try #require((0..<3000).first { bench.put(100 + $0, rows("\($0)")) == false })
    #expect(bench.failure(of: 100 + failed)?.contains("full") == true)
    let before = bench.history(client: 1)?.alerts.count

    try state.freeNames()
    #expect(bench.put(9000, rows("last")) == true)

    #expect(bench.stored(100 + failed))
    #expect(before == failed + 2)
    let after = try state.afterPowerCut()
    #expect(try StoreBench(after, Scratch()).loaded()?.alerts.count == failed + 3)
  }

  @Test func whatFitsInPartStandsOnceAfterIt() throws {
    let state = try Scratch(options: "size=4m")
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("first"))
    state.fill()
    let many = (0..<1000).flatMap { rows("\($0)", pending: false, ended: true, contacts: 3) }
    #expect(bench.put(2, many) == false)
    #expect(bench.put(3, rows("then")) == false)

    try state.freeNames()
    #expect(bench.put(4, rows("last")) == true)
    bench.stop()

    let database = try OutboxDatabase(path: state.path + "/outbox.db", reserving: false)
    #expect(try database.rows(liveOnly: false).count == many.count + 3 * rows("first").count)
  }

  @Test func theStoreTriesAgainByItself() throws {
    let state = try Scratch(options: "size=1m")
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("first"))
    state.fill()
    let failed = try #require((0..<3000).first { bench.put(100 + $0, rows("\($0)")) == false })

    try state.freeNames()

    #expect(bench.stored(100 + failed))
  }

  @Test func noNamesLeftDoesNotStopARunningStore() throws {
    let state = try Scratch(options: "size=4m,nr_inodes=20")
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("first"))
    state.exhaustNames()

    #expect(bench.put(2, rows("second")) == true)
  }

  @Test func aStartWithoutNamesKeepsAlertsInTheRuntimeDirectoryUntilItCan() throws {
    let state = try Scratch(options: "size=4m,nr_inodes=20")
    state.exhaustNames()
    let bench = try StoreBench(state, runtime)

    #expect(bench.loaded() == StoredState())
    #expect(bench.durability()?.contains("do not survive a power cut") == true)
    #expect(bench.put(1, rows("A")) == true)
    bench.stop()
    let next = try StoreBench(state, runtime)
    #expect(next.loaded()?.alerts.map(name) == ["A"])
    try state.freeNames()
    #expect(next.put(2, rows("B")) == true)

    let after = try state.afterPowerCut()
    #expect(try StoreBench(after, Scratch()).loaded()?.alerts.map(name) == ["A", "B"])
    #expect(!runtime.names.contains("unsaved.db"))
  }

  @Test func aReadOnlyDiskStillTellsWhatIsPending() throws {
    let state = try Scratch(options: "size=4m")
    let first = try StoreBench(state, runtime)
    _ = first.put(1, rows("A"))
    let cut = try state.afterPowerCut()
    first.stop()
    for name in state.names { try FileManager.default.removeItem(atPath: state.path + "/" + name) }
    for name in cut.names { try state.put(cut.bytes(name), name) }
    try state.remount("ro")

    let bench = try StoreBench(state, runtime)

    #expect(bench.loaded()?.alerts.map(name) == ["A"])
    #expect(bench.durability()?.contains("Read-only file system") == true)
    #expect(bench.put(2, rows("B")) == true)
    #expect(bench.history()?.alerts.map(name) == ["A", "B"])
    try state.remount("rw")
    #expect(bench.put(3, rows("C")) == true)
    bench.stop()
    #expect(try StoreBench(state, runtime).loaded()?.alerts.map(name) == ["A", "B", "C"])
  }

  @Test func aDiskThatCannotBeReadIsNotReadBackAtEachWrite() throws {
    let state = try Scratch()
    try FileManager.default.createDirectory(
      atPath: state.path + "/outbox.db", withIntermediateDirectories: false)
    let bench = try StoreBench(state, runtime)
    for batch in 1...3 { #expect(bench.put(batch, rows("\(batch)")) == true) }
    bench.stop()

    let readings = bench.events.filter { event in
      if case .storeLoaded = event { true } else { false }
    }
    #expect(readings.isEmpty)
  }

  /// A copy being made by hand, for one.
  @Test func aLockOfAnotherProgramLosesNothing() throws {
    let state = try Scratch()
    let first = try StoreBench(state, runtime)
    _ = first.put(1, rows("A"))
    first.stop()
    let (other, input, output) = (Process(), Pipe(), Pipe())
    other.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
    other.arguments = [state.path + "/outbox.db"]
    (other.standardInput, other.standardOutput) = (input, output)
    try other.run()
    try input.fileHandleForWriting.write(contentsOf: Data("BEGIN EXCLUSIVE; SELECT 'held';\n".utf8))
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "held\n")

    let bench = try StoreBench(state, runtime)
    #expect(bench.loaded()?.alerts.map(name) == ["A"])
    #expect(bench.put(2, rows("B")) == true)
    #expect(bench.durability()?.contains("locked") == true)
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    #expect(bench.put(3, rows("C")) == true)
    bench.stop()

    #expect(try StoreBench(state, runtime).loaded()?.alerts.map(name) == ["A", "B", "C"])
  }

  @Test func memoryIsNotCalledDurable() throws {
    let state = try Scratch(options: "size=4m")
    let bench = try StoreBench(state, runtime)

    #expect(bench.durability()?.contains("do not survive a power cut") == true)
    #expect(bench.put(1, rows("A")) == true)
  }

  @Test func aPlaceThatIsNoDirectoryIsOneClearProblem() throws {
    let state = try Scratch()
    try state.put([1], "file")
    let bench = try StoreBench(state: state.path + "/file", runtime: runtime.path)

    #expect(bench.durability()?.contains("\(state.path)/file: not a directory") == true)
    #expect(bench.put(1, rows("A")) == true)
  }

  @Test func aHealthyStoreOwesNothingAndSoNeverWakesUp() throws {
    let state = try Scratch()
    let keeper = OutboxKeeper(stateDirectory: state.path, runtimeDirectory: runtime.path)

    _ = keeper.open(at: .zero)
    _ = keeper.store([1], rows("A"), at: .zero)

    #expect(keeper.retryAt == nil)
    #expect(keeper.isSettled)
  }

  @Test func triesComeLessOftenButNeverEnd() throws {
    let state = try Scratch()
    try state.put([1], "file")
    let keeper = OutboxKeeper(stateDirectory: state.path + "/file", runtimeDirectory: runtime.path)
    var now = BootTime.zero
    var waits: [Int64] = []

    _ = keeper.open(at: now)
    for _ in 0..<9 {
      let due = try #require(keeper.retryAt)
      waits.append((due - now).wholeSeconds)
      now = due
      #expect(keeper.retry(at: now - .milliseconds(1)).isEmpty)
      _ = keeper.retry(at: now)
    }

    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
  }

  @Test func nobodyElsesStoreIsNamedWithItsOwner() throws {
    let state = try Scratch()
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("A"))
    bench.stop()

    let words = try Program.run(
      ["alerts", "--state-directory", state.path, "--runtime-directory", runtime.path], as: 65_534)

    #expect(words.status == 1)
    #expect(words.errors.contains("\(state.path)/outbox.db"))
    #expect(words.errors.contains("belongs to root (mode 0600)"))
  }
}
