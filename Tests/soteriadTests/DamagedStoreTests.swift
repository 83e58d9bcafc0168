import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// What a power cut, a dying card or a stranger may leave where the outbox was.
@Suite struct DamagedStoreTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]
    var testDescription: String { name }

    static let all = [
      Case(name: "nothing", bytes: []),
      Case(name: "4 kB of zeros", bytes: [UInt8](repeating: 0, count: 4096)),
      Case(name: "half a JSON document", bytes: Array("{\"alert\":\"01J".utf8)),
      Case(name: "noise", bytes: (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }),
      Case(
        name: "a header and noise",
        bytes: Array("SQLite format 3\0".utf8) + (0..<9000).map { UInt8($0 % 251) }),
    ]
  }

  let state: Scratch
  let runtime: Scratch

  init() throws {
    state = try Scratch()
    runtime = try Scratch()
  }

  @Test(arguments: Case.all)
  func rubbishIsSetAsideAndWorkGoesOn(_ rubbish: Case) throws {
    try state.put(rubbish.bytes, "outbox.db")
    try state.put([1], "outbox.db.new")

    let bench = try StoreBench(state, runtime)
    let loaded = try #require(bench.loaded())

    #expect(loaded.damage.count == 1)
    #expect(bench.put(1, rows("A")) == true)
    #expect(state.bytes("outbox.db.damaged-1") == rubbish.bytes)
    bench.stop()
    let next = try #require(try StoreBench(state, runtime).loaded())
    #expect(next.alerts.map(name) == ["A"])
    #expect(next.damage == [])
  }

  @Test func aSecondDamagedFileDoesNotTakeThePlaceOfTheFirst() throws {
    try state.put([1, 2, 3], "outbox.db.damaged-1")
    try state.put([4, 5, 6], "outbox.db")

    _ = try StoreBench(state, runtime).loaded()

    #expect(state.bytes("outbox.db.damaged-1") == [1, 2, 3])
    #expect(state.bytes("outbox.db.damaged-2") == [4, 5, 6])
  }

  @Test func aLogWithoutItsFileIsNotThrownAway() throws {
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("A"))
    let after = try state.afterPowerCut()
    let log = after.bytes("outbox.db-wal")
    try FileManager.default.removeItem(atPath: after.path + "/outbox.db")

    let loaded = try StoreBench(after, runtime).loaded()

    #expect(loaded?.damage.count == 1)
    #expect(after.bytes("outbox.db.damaged-1-wal") == log)
  }

  /// Where the cut or the bad sectors are, as fractions of the file, and how many of 300 must come back.
  struct Wound: CustomTestStringConvertible, Sendable {
    var name: String
    var range: ClosedRange<Double>
    var isCut = false
    var least: Int
    var testDescription: String { name }

    static let all = [
      Wound(name: "the last tenth is gone", range: 0.9...1, isCut: true, least: 200),
      Wound(name: "a page in the first third is bad", range: 0.3...0.3, least: 200),
      Wound(name: "a tenth in the middle is bad", range: 0.45...0.55, least: 150),
    ]
  }

  @Test(arguments: Wound.all)
  func goodRowsOfADamagedFileGoOn(_ wound: Wound) throws {
    let bench = try StoreBench(state, runtime)
    for batch in 0..<10 {
      #expect(bench.put(batch, (0..<30).flatMap { rows("\(batch * 30 + $0)") }) == true)
    }
    bench.stop()
    try Scratch.run("sqlite3", state.path + "/outbox.db", "VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    var bytes = state.bytes("outbox.db")
    let pages = bytes.count / 4096
    let first = Int(Double(pages) * wound.range.lowerBound)
    let last = min(Int(Double(pages) * wound.range.upperBound), pages - 1)
    if wound.isCut {
      bytes.removeLast(bytes.count - first * 4096)
    } else {
      for index in first * 4096..<(last + 1) * 4096 { bytes[index] = 0xA5 }
    }
    try state.put(bytes, "outbox.db")

    let loaded = try #require(try StoreBench(state, runtime).loaded())

    #expect(loaded.damage.count == 1)
    #expect(Set(loaded.alerts).count >= wound.least)
    #expect(loaded.alerts.count == Set(loaded.alerts).count)
    let isUntouched = state.bytes("outbox.db.damaged-1") == bytes
    #expect(isUntouched)
    let after = try state.afterPowerCut()
    let again = try #require(try StoreBench(after, runtime).loaded())
    #expect(again.alerts.count == loaded.alerts.count)
  }

  @Test func aStoreOfALaterVersionIsSetAsideAndReadAsFarAsItGoes() throws {
    let bench = try StoreBench(state, runtime)
    _ = bench.put(1, rows("A"))
    bench.stop()
    try Scratch.run("sqlite3", state.path + "/outbox.db", "PRAGMA user_version=99")

    let loaded = try StoreBench(state, runtime).loaded()

    #expect(loaded?.damage.first?.contains("version 99") == true)
    #expect(loaded?.alerts.map(name) == ["A"])
  }

  @Test func anothersDatabaseIsNotWrittenInto() throws {
    try Scratch.run("sqlite3", state.path + "/outbox.db", "CREATE TABLE theirs(x)")
    let theirs = state.bytes("outbox.db")

    let loaded = try StoreBench(state, runtime).loaded()

    #expect(loaded?.damage.count == 1)
    let isUntouched = state.bytes("outbox.db.damaged-1") == theirs
    #expect(isUntouched)
  }
}
