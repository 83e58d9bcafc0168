import CSQLite
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct OutboxDatabaseTests {
  private let scratch: Scratch
  private var path: String { scratch.path + "/outbox.db" }

  init() throws {
    scratch = try Scratch()
  }

  @Test func aRowIsWrittenOverHoweverOftenTheFileIsOpened() throws {
    var database = try open()
    try database.apply([alert("a", "1"), delivery("a", 0, "1"), alert("b", "1")])
    try database.apply([delivery("a", 0, "2"), delivery("a", 1, "1")])
    database = try open(after: &database)
    try database.apply([delivery("a", 1, "2"), alert("a", "2")])

    #expect(
      try database.rows(liveOnly: false)
        == [alert("a", "2"), delivery("a", 0, "2"), alert("b", "1"), delivery("a", 1, "2")])
  }

  @Test func whatWasTakenBackIsNoPlaceForAnother() throws {
    let whole = try open()
    try whole.apply([alert("a", "1")])
    _ = consume whole
    try Scratch.run(
      "sqlite3", path,
      """
      CREATE TRIGGER fault BEFORE INSERT ON records WHEN NEW.document = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    let database = try open()

    #expect(throws: StoreError.self) { try database.apply([delivery("a", 0, "1"), delivery("a", 1, "bad")]) }
    try database.apply([delivery("a", 1, "1")])
    try database.apply([delivery("a", 0, "2")])

    #expect(
      try database.rows(liveOnly: false) == [alert("a", "1"), delivery("a", 1, "1"), delivery("a", 0, "2")])
  }

  @Test func whatIsWrittenAgainStandsOnceThoughItsAlertIsOver() throws {
    let database = try open()
    let all = [alert("a", "1", ended: true), delivery("a", 0, "1", pending: false)]
    try database.apply(all)
    try database.apply(all, again: true)

    #expect(try database.rows(liveOnly: false) == all)
  }

  @Test func onePageIsWrittenForAPressAndOneForItsEnd() throws {
    let database = try open()
    let text = String(repeating: "x", count: 300)
    try database.apply([alert("first", text)])
    let before = pagesWritten()

    try database.apply([alert("a", text), delivery("a", 0, text)])
    #expect(pagesWritten() == before + 1)
    try database.apply([alert("a", text, ended: true), delivery("a", 0, text, pending: false)])
    #expect(pagesWritten() == before + 2)
  }

  private func open() throws -> OutboxDatabase { try OutboxDatabase(path: path, reserving: false) }

  /// A connection is exclusive: the one before has to end.
  private func open(after earlier: inout OutboxDatabase) throws -> OutboxDatabase {
    earlier = try OutboxDatabase(path: scratch.path + "/other.db", reserving: false)
    return try open()
  }

  /// Frames in the write-ahead log of which the salt is the header's, those of the present round.
  /// Source: sqlite.org/fileformat2.html#walformat.
  private func pagesWritten() -> Int {
    let log = scratch.bytes("outbox.db-wal")
    let salt = log[16..<24]
    return stride(from: 32, to: log.count, by: 24 + 4096).prefix { log[($0 + 8)..<($0 + 16)] == salt }.count
  }

  private func alert(_ id: String, _ document: String, ended: Bool = false) -> StoreWrite {
    .alert(id: id, ended: ended, pressedAt: 0, document: document)
  }

  private func delivery(_ id: String, _ sequence: Int, _ document: String, pending: Bool = true)
    -> StoreWrite
  {
    .delivery(alertID: id, contactID: "mum", sequence: sequence, pending: pending, document: document)
  }
}
