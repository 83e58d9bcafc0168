import CSQLite
import DaemonCore

/// Reads what can be read of a damaged outbox, row by row where whole tables no longer read.
enum StoreSalvage {
  /// Row numbers tried in a row without finding one before a table is taken to be at its end.
  private static let gapLimit: Int64 = 2000

  static func rows(of path: String) -> [StoreWrite] {
    guard let database = try? SQLiteDatabase(path: path, flags: SQLITE_OPEN_READWRITE) else { return [] }
    try? database.run("PRAGMA locking_mode=EXCLUSIVE")
    // The one way to have SQLite read a file that is shorter than its header says.
    try? database.run("PRAGMA writable_schema=ON")
    return StoreTable.allCases.flatMap { rows(of: $0, in: database) }
  }

  private static func rows(of table: StoreTable, in database: SQLiteDatabase) -> [StoreWrite] {
    var rows: [StoreWrite] = []
    var last: Int64 = 0
    let select = "SELECT \(table.columns) FROM \(table.rawValue)"
    func take(_ row: SQLiteDatabase.Row) -> Bool {
      last = row.integer(0)
      if let write = table.write(row) { rows.append(write) }
      return true
    }
    while true {
      let isWhole =
        (try? database.each("\(select) WHERE rowid > ? ORDER BY rowid", [.integer(last)], take)) != nil
      if isWhole { return rows }
      // Past the bad page the rows are found one by one.
      var found = false
      for number in last + 1...last + gapLimit {
        let count = rows.count
        try? database.each("\(select) WHERE rowid = ?", [.integer(number)], take)
        if rows.count > count {
          found = true
          break
        }
      }
      if !found { return rows }
    }
  }
}
