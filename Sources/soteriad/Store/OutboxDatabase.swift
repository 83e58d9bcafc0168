import CSQLite
import CSystem
import DaemonCore
import Glibc

/// The outbox as a file: what it holds, how rows get in and out. Which file, and what to do when it fails, is
/// the keeper's business.
///
/// The connection is exclusive, so that SQLite keeps its index in memory: a `-shm` file that cannot grow on a
/// full disk would stop the store, or end the process with SIGBUS.
final class OutboxDatabase {
  static let schemaVersion: Int64 = 3
  /// Bytes of free pages in the file, and of log, that are allotted while there is room.
  static let reserve = 262_144
  /// The log starts again well before the end of what is allotted to it.
  private static let mostLogPages: Int32 = 32
  /// Below this many free pages the reserve is filled up again: as many as one log can take, and some more.
  private static let leastFreePages: Int64 = 48
  private static let pageSize: Int64 = 4096
  /// `soti`. Source: sqlite.org/pragma.html#pragma_application_id.
  private static let applicationID: Int64 = 0x736F_7469

  private let database: SQLiteDatabase
  private let path: String
  private let isReserving: Bool
  /// nil after a failure: a row that was taken back is no place.
  private var places: RecordPlaces?

  /// Opens the outbox at `path`, or makes one. `reserving`: keeps room for a full disk. `doubting`: the disk failed
  /// since it was opened last.
  init(path: String, reserving: Bool, doubting: Bool = false) throws(StoreError) {
    self.path = path
    isReserving = reserving
    let isNew = try Self.prepareFile(path)
    do throws(StoreError) {
      database = try SQLiteDatabase(path: path, flags: SQLITE_OPEN_READWRITE)
      database.keepLog()
      try database.run("PRAGMA locking_mode=EXCLUSIVE")
      // Looked at before anything is changed: it may be someone else's.
      if !isNew { try Self.verify(database, path) }
      try Self.configure(database, path)
      if isNew { try Self.createTables(in: database) } else { try Self.proveLog(of: database, doubting) }
    } catch {
      // What could not be made is nothing that the next start should have to set aside.
      if isNew { StoreFiles.remove(path) }
      throw error
    }
    if isNew { StoreFiles.syncDirectory(of: path) }
    try findPlaces()
    fillReserve(isOpening: true)
    database.forgetStatements()
  }

  /// Returns whether there was no file. It is made here, so that its mode is right from the first moment.
  private static func prepareFile(_ path: String) throws(StoreError) -> Bool {
    var info = stat()
    if stat(path, &info) == 0 {
      guard info.st_size > 0 else { throw StoreError(.damaged, path, "the file is empty") }
      guard faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0 else {
        throw StoreError(.unusable, "cannot write to \(path)", StateDirectory.refusal(path, info))
      }
      if info.st_uid == geteuid(), info.st_mode & 0o077 != 0 {
        for name in StoreFiles.names(path) { chmod(name, 0o600) }
      }
      return false
    }
    guard errno == ENOENT else { throw StoreError(SystemError("cannot look at \(path)")) }
    if stat("\(path)-wal", &info) == 0, info.st_size > 0 {
      throw StoreError(.damaged, path, "the file is missing beside its log")
    }
    let descriptor = sot_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(SystemError("cannot make \(path)")) }
    close(descriptor)
    return true
  }

  private static func configure(_ database: SQLiteDatabase, _ path: String) throws(StoreError) {
    guard try database.text("PRAGMA journal_mode=WAL") == "wal" else {
      throw StoreError(.unusable, path, "cannot keep a write-ahead log there")
    }
    try database.run("PRAGMA synchronous=FULL")
    // The pages of a commit and no more: what the reserve went through would stay in memory.
    try database.run("PRAGMA cache_size=8")
    try database.run("PRAGMA temp_store=MEMORY")
    try database.run("PRAGMA journal_size_limit=-1")
    database.countLogPages()
  }

  /// After a sync that failed the kernel's cache still shows what never reached the disk, and SQLite takes it for
  /// committed; the same rows stored again change no page, so nothing would be synced. Moved into the file, the log is
  /// synced first, or fails. In doubt nothing of it is left for another start to find. A full disk has no room for
  /// that; what its log holds was synced.
  private static func proveLog(of database: SQLiteDatabase, _ doubting: Bool) throws(StoreError) {
    do throws(StoreError) {
      try database.run("PRAGMA wal_checkpoint(\(doubting ? "TRUNCATE" : "RESTART"))")
    } catch {
      guard error.kind == .full else { throw error }
    }
  }

  private static func createTables(in database: SQLiteDatabase) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      // An alert and its deliveries side by side, and no index: each page that a press changes is written whole, so
      // most presses change one. The alert's own row has no contact, and stands before those of its deliveries.
      // `open`: it has not ended, or it is pending.
      try database.run(
        """
        CREATE TABLE records(seq INTEGER PRIMARY KEY, alert TEXT NOT NULL, contact TEXT NOT NULL,
          sequence INTEGER NOT NULL, open INTEGER NOT NULL, pressed_at INTEGER, document TEXT NOT NULL)
        """)
      try database.run("CREATE TABLE notes(name TEXT NOT NULL PRIMARY KEY, document TEXT NOT NULL)")
      try database.run("PRAGMA application_id=\(applicationID)")
      try database.run("PRAGMA user_version=\(schemaVersion)")
    }
  }

  private static func verify(_ database: SQLiteDatabase, _ path: String) throws(StoreError) {
    guard try database.integer("PRAGMA application_id") == applicationID else {
      throw StoreError(.damaged, path, "it is no outbox")
    }
    let version = try database.integer("PRAGMA user_version") ?? 0
    guard version == schemaVersion else {
      throw StoreError(.damaged, path, "it is of version \(version), this program knows \(schemaVersion)")
    }
    let verdict = try database.text("PRAGMA quick_check(1)") ?? ""
    guard verdict == "ok" else { throw StoreError(.damaged, path, verdict.isEmpty ? "unreadable" : verdict) }
  }

  /// What need not be done before a message may leave: moves a long log into the file, and fills the reserve.
  func tidy() {
    guard database.logPages >= Self.mostLogPages else { return }
    try? database.run(kept: "PRAGMA wal_checkpoint(PASSIVE)")
    fillReserve()
  }

  /// Keeps free pages in the file and length in the log. Best effort: on a full disk there is none to be had.
  private func fillReserve(isOpening: Bool = false) {
    guard isReserving else { return }
    let free = (try? database.integer("PRAGMA freelist_count")) ?? 0
    let wanted = Int64(Self.reserve) / Self.pageSize
    let log = isOpening ? StoreFiles.size("\(path)-wal") : Int64(Self.reserve)
    let isWanted = free < (isOpening ? wanted : Self.leastFreePages) || log < Int64(Self.reserve)
    // In the log it might fit on a full disk, but it could never be moved into the file: the log would end there.
    if isWanted, StoreFiles.hasRoom(2 * Self.reserve, besides: path) {
      try? database.transaction { () throws(StoreError) in
        try database.run("CREATE TABLE filler(bytes BLOB)")
        try database.run("INSERT INTO filler VALUES(zeroblob(\(Self.reserve)))")
      }
      try? database.run("DROP TABLE IF EXISTS filler")
    }
    // A log found at start is begun again, or the first commits would lengthen it.
    if isOpening { try? database.run("PRAGMA wal_checkpoint(RESTART)") }
  }

  /// Puts all the writes on disk, or none of them. `again`: they may be there already, even of alerts that are over.
  func apply(_ writes: [StoreWrite], again: Bool = false) throws(StoreError) {
    try findPlaces()
    if again { try places?.find(writes, in: database) }
    do throws(StoreError) {
      try database.transaction { () throws(StoreError) in
        for write in writes { try apply(write) }
      }
      places?.settle()
    } catch {
      places = nil
      throw error
    }
  }

  private func findPlaces() throws(StoreError) {
    if places == nil { places = try RecordPlaces(in: database) }
  }

  private func apply(_ write: StoreWrite) throws(StoreError) {
    switch write {
    case .alert(let id, let ended, let pressedAt, let document):
      let key = Delivery.Key(alertID: id, contactID: "", sequence: 0)
      try put(key, isOpen: !ended, pressedAt, document)
    case .delivery(let alertID, let contactID, let sequence, let pending, let document):
      let key = Delivery.Key(alertID: alertID, contactID: contactID, sequence: sequence)
      try put(key, isOpen: pending, nil, document)
    case .note(let note, let document):
      try database.run(
        kept: """
          INSERT INTO notes(document, name) VALUES(?, ?)
            ON CONFLICT(name) DO UPDATE SET document = excluded.document
          """, document: document
      ) { $0.add(note.rawValue) }
    }
  }

  // Never inlined: every press puts two rows, and runs through the same code for both.
  @inline(never)
  private func put(
    _ key: Delivery.Key, isOpen: Bool, _ pressedAt: Int64?, _ document: String
  ) throws(StoreError) {
    func addState(to row: inout SQLiteDatabase.Parameters) {
      row.add(isOpen ? 1 : 0)
      if let pressedAt { row.add(pressedAt) } else { row.addNull() }
    }
    if let seq = places?.update(key, isOpen: isOpen) {
      try database.run(
        kept: "UPDATE records SET document = ?, open = ?, pressed_at = ? WHERE seq = ?", document: document
      ) { row in
        addState(to: &row)
        row.add(seq)
      }
    } else {
      try database.run(
        kept: """
          INSERT INTO records(document, open, pressed_at, alert, contact, sequence) VALUES(?, ?, ?, ?, ?, ?)
          """, document: document
      ) { row in
        addState(to: &row)
        row.add(key.alertID)
        row.add(key.contactID)
        row.add(Int64(key.sequence))
      }
      places?.add(key, at: database.lastRow, isOpen: isOpen)
    }
  }

  /// A walk that takes out what may go; nothing of it is done yet.
  func walk(_ pruning: Pruning) throws(StoreError) -> PruningWalk {
    try PruningWalk(pruning, in: database)
  }

  /// Takes a step of a walk, as a transaction of few rows. Returns false when it is at its end.
  func step(_ walk: inout PruningWalk) throws(StoreError) -> Bool {
    try findPlaces()
    let live = places?.alerts
    return try walk.step(in: database) { live?.contains($0) ?? true }
  }

  /// Every row, or those of alerts that have not ended or have a pending delivery, and the notes.
  func rows(liveOnly: Bool) throws(StoreError) -> [StoreWrite] {
    var rows: [StoreWrite] = []
    for table in StoreTable.allCases {
      let filter =
        switch table {
        case .records where liveOnly: "WHERE alert IN (SELECT alert FROM records WHERE open = 1)"
        case .records, .notes: ""
        }
      try database.each("SELECT \(table.columns) FROM \(table.rawValue) \(filter) ORDER BY rowid") { row in
        if let write = table.write(row) { rows.append(write) }
        return true
      }
    }
    return rows
  }

  /// The documents of one alert or of the newest ones, newest first.
  func history(of alertID: String?) throws(StoreError) -> StoreHistory {
    try StoreHistory(database, alertID: alertID)
  }
}
