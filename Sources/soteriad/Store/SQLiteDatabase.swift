import CSQLite

/// One connection to one SQLite file, for one thread.
final class SQLiteDatabase {
  enum Value {
    case null
    case integer(Int64)
    case text(String)
  }

  /// The present row of a query; valid only while the body that got it runs.
  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// Empty where the column is NULL. What is no UTF-8 is repaired, never refused.
    func text(_ column: Int32) -> String {
      guard let start = sqlite3_column_text(statement, column) else { return "" }
      // Safe: SQLite keeps the bytes until the next step of this statement.
      let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// What a kept statement is run with, from its second parameter on, in their order.
  struct Parameters {
    fileprivate let statement: OpaquePointer
    fileprivate var count: Int32 = 0
    fileprivate var code = SQLITE_OK

    mutating func add(_ number: Int64) { note(sqlite3_bind_int64(statement, count + 1, number)) }

    mutating func addNull() { note(sqlite3_bind_null(statement, count + 1)) }

    @inline(never)
    mutating func add(_ text: String) {
      var text = text
      text.withUTF8 { add($0, SQLiteDatabase.transient) }
    }

    /// Without `destructor` the bytes have to stay where they are until the statement was run.
    fileprivate mutating func add(
      _ bytes: UnsafeBufferPointer<UInt8>, _ destructor: sqlite3_destructor_type?
    ) {
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      note(sqlite3_bind_text(statement, count + 1, start, Int32(clamping: bytes.count), destructor))
    }

    private mutating func note(_ code: Int32) {
      count += 1
      if code != SQLITE_OK { self.code = code }
    }
  }

  private let handle: OpaquePointer
  private let path: String
  /// Kept statements, by where their text stands in the program: that tells them apart at a glance.
  private var statements: [(sql: UnsafePointer<UInt8>, pointer: OpaquePointer)] = []

  /// `flags` are SQLITE_OPEN_*. Source: sqlite.org/c3ref/open.html.
  init(path: String, flags: Int32) throws(StoreError) {
    self.path = path
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else { throw StoreError(.unusable, "cannot open \(path)", "out of memory") }
    guard code == SQLITE_OK else {
      let error = Self.error(opened, "cannot open \(path)")
      // Safe: SQLite hands out a handle even when opening fails; it is closed here and nowhere else.
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(handle, 2000)
  }

  deinit {
    forgetStatements()
    sqlite3_close_v2(handle)
  }

  /// Gives back the memory of statements that will hardly be used again.
  func forgetStatements() {
    // Safe: no other statement outlives the call that made it.
    for statement in statements { sqlite3_finalize(statement.pointer) }
    statements = []
  }

  /// Leaves the log in place at its full length when the connection closes, so that it can be written to on
  /// a full disk. Source: sqlite.org/c3ref/c_fcntl_begin_atomic_write.html.
  func keepLog() {
    var on: Int32 = 1
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
  }

  /// Pages in the write-ahead log at the last commit.
  private(set) var logPages: Int32 = 0

  /// Keeps `logPages` from now on; SQLite no longer moves the log into the file by itself.
  /// Source: sqlite.org/c3ref/wal_hook.html.
  func countLogPages() {
    // Safe: the hook runs only inside calls on this connection, which ends with this object.
    let this = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { this, _, _, pages in
        guard let this else { return SQLITE_OK }
        Unmanaged<SQLiteDatabase>.fromOpaque(this).takeUnretainedValue().logPages = pages
        return SQLITE_OK
      }, this)
  }

  func run(_ sql: String, _ values: [Value] = []) throws(StoreError) {
    try each(sql, values) { _ in true }
  }

  /// Runs a statement that is parsed once and kept, as parsing it costs more than running it.
  func run(kept sql: StaticString) throws(StoreError) {
    if let error = complete(try statement(kept: sql)) { throw error }
  }

  /// The same with parameters, the first of which is `document`.
  @inline(never)
  func run(
    kept sql: StaticString, document: String, _ add: (inout Parameters) -> Void
  ) throws(StoreError) {
    let statement = try statement(kept: sql)
    var document = document
    let error = document.withUTF8 { bytes in
      var parameters = Parameters(statement: statement)
      // Safe: the statement forgets the bytes, which SQLite need not copy, before they can go.
      parameters.add(bytes, nil)
      defer { sqlite3_clear_bindings(statement) }
      add(&parameters)
      return parameters.code == SQLITE_OK ? complete(statement) : failure
    }
    if let error { throw error }
  }

  private func statement(kept sql: StaticString) throws(StoreError) -> OpaquePointer {
    for statement in statements where statement.sql == sql.utf8Start { return statement.pointer }
    let statement = try prepare("\(sql)")
    statements.append((sql.utf8Start, statement))
    return statement
  }

  private func prepare(_ sql: String) throws(StoreError) -> OpaquePointer {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure
    }
    return prepared
  }

  /// Returns why it failed.
  private func complete(_ statement: OpaquePointer) -> StoreError? {
    defer { sqlite3_reset(statement) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: continue
      case SQLITE_DONE: return nil
      default: return failure
      }
    }
  }

  /// The row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs `body` on every row until it returns false.
  func each(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Bool) throws(StoreError) {
    let statement = try prepare(sql)
    // Safe: no row outlives `body`.
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let code =
        switch value {
        case .null: sqlite3_bind_null(statement, Int32(index + 1))
        case .integer(let number): sqlite3_bind_int64(statement, Int32(index + 1), number)
        case .text(let text):
          sqlite3_bind_text(
            statement, Int32(index + 1), text, Int32(clamping: text.utf8.count), Self.transient)
        }
      guard code == SQLITE_OK else { throw failure }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: if !body(Row(statement: statement)) { return }
      case SQLITE_DONE: return
      default: throw failure
      }
    }
  }

  /// The first column of the first row; nil without one.
  func integer(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int64? {
    var number: Int64?
    try each(sql, values) {
      number = $0.integer(0)
      return false
    }
    return number
  }

  func text(_ sql: String) throws(StoreError) -> String? {
    var text: String?
    try each(sql) {
      text = $0.text(0)
      return false
    }
    return text
  }

  /// All of `body` or nothing of it is on disk when this returns.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try run(kept: "BEGIN IMMEDIATE")
    do throws(StoreError) {
      try body()
      try run(kept: "COMMIT")
    } catch {
      // SQLite rolls back by itself on most faults; what is left to roll back then is an error of no interest.
      try? run("ROLLBACK")
      throw error
    }
  }

  private var failure: StoreError { Self.error(handle, path) }

  private static func error(_ handle: OpaquePointer, _ operation: String) -> StoreError {
    StoreError(
      code: sqlite3_extended_errcode(handle), system: sqlite3_system_errno(handle),
      message: String(cString: sqlite3_errmsg(handle)), operation: operation)
  }

  /// SQLITE_TRANSIENT, a cast that does not import: SQLite copies the text before the call returns.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
