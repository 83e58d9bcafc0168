import CSQLite
import DaemonCore
import Glibc

/// What SQLite could not do, and why.
struct DatabaseError: Error, CustomStringConvertible {
  var operation: String
  /// Source: sqlite3.h, result codes.
  var code: Int32
  var reason: String

  var description: String { "\(operation): \(reason)" }

  /// Whether the file itself is bad, not the disk or the permissions.
  var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT].contains(code & 0xFF) }
}

/// One SQLite file with the tables of the outbox. Used by one thread.
final class Database {
  /// A newer program's file is left alone. Source: PRAGMA user_version.
  static let schemaVersion = 1
  /// Set aside in the file and its log at creation, so that alerts still fit when the disk is full.
  private static let reserve = 262_144

  let path: String
  private let connection: OpaquePointer

  /// Opens, or creates with its reserve. WAL with synchronous FULL: a transaction that returned is on disk.
  init(path: String, create: Bool = true, salvage: Bool = false) throws(DatabaseError) {
    self.path = path
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard let opened else {
      throw DatabaseError(operation: "cannot open \(path)", code: code, reason: "out of memory")
    }
    guard code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw Self.error("cannot open \(path)", opened)
    }
    connection = opened
    // A damaged file is only read, as far as that goes.
    if salvage { return }
    do throws(DatabaseError) {
      try prepareFile()
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
  }

  deinit { sqlite3_close_v2(connection) }

  private func prepareFile() throws(DatabaseError) {
    var keep: Int32 = 1
    // Safe: the call reads the flag before it returns.
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &keep)
    sqlite3_busy_timeout(connection, 2000)
    try execute("PRAGMA cache_size = -256")
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = FULL")
    try execute("PRAGMA wal_autocheckpoint = 64")
    let version = try integer("PRAGMA user_version")
    guard version <= Self.schemaVersion else {
      throw DatabaseError(
        operation: "cannot use \(path)", code: SQLITE_FORMAT,
        reason: "it was written by a newer version of soteriad")
    }
    guard version == 0 else {
      guard try text("PRAGMA quick_check(1)") == "ok" else {
        throw DatabaseError(operation: "cannot use \(path)", code: SQLITE_CORRUPT, reason: "it is damaged")
      }
      return
    }
    try execute(
      """
      BEGIN;
      CREATE TABLE IF NOT EXISTS alerts(seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        ended INTEGER NOT NULL, pressed_at INTEGER NOT NULL, document TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS deliveries(alert TEXT NOT NULL, contact TEXT NOT NULL, sequence INTEGER NOT NULL,
        pending INTEGER NOT NULL, document TEXT NOT NULL, PRIMARY KEY(alert, contact, sequence)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS deliveries_pending ON deliveries(alert) WHERE pending = 1;
      CREATE TABLE IF NOT EXISTS notes(name TEXT PRIMARY KEY, document TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE reserve(room BLOB);
      INSERT INTO reserve VALUES (zeroblob(\(Self.reserve)));
      DROP TABLE reserve;
      PRAGMA user_version = \(Self.schemaVersion);
      COMMIT;
      """)
  }

  /// All or nothing.
  func write(_ writes: [StoreWrite]) throws(DatabaseError) {
    try execute("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      for write in writes { try put(write) }
      try execute("COMMIT")
    } catch {
      sqlite3_exec(connection, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  private func put(_ write: StoreWrite) throws(DatabaseError) {
    switch write {
    case .alert(let id, let ended, let pressedAt, let document):
      try run(
        """
        INSERT INTO alerts(id, ended, pressed_at, document) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT(id) DO UPDATE SET ended = ?2, pressed_at = ?3, document = ?4
        """, [.text(id), .integer(ended ? 1 : 0), .integer(pressedAt), .text(document)])
    case .delivery(let alertID, let contactID, let sequence, let pending, let document):
      try run(
        "INSERT OR REPLACE INTO deliveries VALUES (?1, ?2, ?3, ?4, ?5)",
        [
          .text(alertID), .text(contactID), .integer(Int64(sequence)), .integer(pending ? 1 : 0),
          .text(document),
        ])
    case .note(let note, let document):
      try run("INSERT OR REPLACE INTO notes VALUES (?1, ?2)", [.text(note.rawValue), .text(document)])
    case .prune(let keepNewest, let before):
      try run(
        """
        DELETE FROM alerts WHERE ended = 1
          AND id NOT IN (SELECT alert FROM deliveries WHERE pending = 1)
          AND (pressed_at < ?2 OR seq <= (SELECT seq FROM alerts ORDER BY seq DESC LIMIT 1 OFFSET ?1))
        """, [.integer(Int64(keepNewest)), .integer(before ?? .min)])
      try execute("DELETE FROM deliveries WHERE alert NOT IN (SELECT id FROM alerts)")
    }
  }

  /// What a start needs.
  func load() throws(DatabaseError) -> StoredState {
    let open = "ended = 0 OR id IN (SELECT alert FROM deliveries WHERE pending = 1)"
    var state = StoredState(
      alerts: try column("SELECT document FROM alerts WHERE \(open) ORDER BY seq"),
      deliveries: try column(
        """
        SELECT document FROM deliveries WHERE alert IN (SELECT id FROM alerts WHERE \(open))
        ORDER BY alert, sequence, contact
        """))
    for note in StoreNote.allCases {
      state.notes[note] = try column("SELECT document FROM notes WHERE name = ?1", [.text(note.rawValue)])
        .first
    }
    return state
  }

  /// The newest alerts, or one, and their deliveries.
  func history(of alertID: String?) throws(DatabaseError) -> (alerts: [String], deliveries: [String]) {
    let wanted =
      alertID == nil ? "SELECT id FROM alerts ORDER BY seq DESC LIMIT 1000" : "SELECT ?1"
    let values: [Value] = alertID.map { [.text($0)] } ?? []
    return (
      try column("SELECT document FROM alerts WHERE id IN (\(wanted))", values),
      try column("SELECT document FROM deliveries WHERE alert IN (\(wanted))", values)
    )
  }

  /// Every row, as the writes that would make it; of a damaged file as much as can be read.
  func everything() -> [StoreWrite] {
    var rows: [StoreWrite] = []
    try? read("SELECT id, ended, pressed_at, document FROM alerts ORDER BY seq") { row in
      rows.append(
        .alert(id: row.text(0), ended: row.integer(1) != 0, pressedAt: row.integer(2), document: row.text(3)))
    }
    try? read("SELECT alert, contact, sequence, pending, document FROM deliveries") { row in
      rows.append(
        .delivery(
          alertID: row.text(0), contactID: row.text(1), sequence: Int(row.integer(2)),
          pending: row.integer(3) != 0, document: row.text(4)))
    }
    try? read("SELECT name, document FROM notes") { row in
      if let note = StoreNote(rawValue: row.text(0)) { rows.append(.note(note, document: row.text(1))) }
    }
    return rows
  }

  // MARK: statements

  enum Value {
    case text(String)
    case integer(Int64)
  }

  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
      // Safe: the text is copied before the statement moves on.
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }
  }

  private func execute(_ sql: String) throws(DatabaseError) {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }

  private func run(_ sql: String, _ values: [Value]) throws(DatabaseError) {
    try read(sql, values) { _ in }
  }

  private func column(_ sql: String, _ values: [Value] = []) throws(DatabaseError) -> [String] {
    var texts: [String] = []
    try read(sql, values) { texts.append($0.text(0)) }
    return texts
  }

  private func integer(_ sql: String) throws(DatabaseError) -> Int {
    var number = 0
    try read(sql) { number = Int($0.integer(0)) }
    return number
  }

  private func text(_ sql: String) throws(DatabaseError) -> String {
    try column(sql).first ?? ""
  }

  private func read(_ sql: String, _ values: [Value] = [], _ each: (Row) -> Void) throws(DatabaseError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure
    }
    defer { sqlite3_finalize(prepared) }
    // SQLITE_TRANSIENT is a cast and does not import: SQLite copies the text.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      switch value {
      case .text(let text): sqlite3_bind_text(prepared, Int32(index + 1), text, -1, transient)
      case .integer(let number): sqlite3_bind_int64(prepared, Int32(index + 1), number)
      }
    }
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: each(Row(statement: prepared))
      case SQLITE_DONE: return
      default: throw failure
      }
    }
  }

  private var failure: DatabaseError { Self.error("cannot use \(path)", connection) }

  private static func error(_ operation: String, _ connection: OpaquePointer) -> DatabaseError {
    let code = sqlite3_extended_errcode(connection)
    let system = sqlite3_system_errno(connection)
    var reason = String(cString: sqlite3_errmsg(connection))
    if system != 0 { reason += " (\(String(cString: strerror(system))))" }
    return DatabaseError(operation: operation, code: code, reason: reason)
  }
}
