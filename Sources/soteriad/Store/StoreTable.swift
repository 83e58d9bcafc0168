import DaemonCore

/// The tables that hold rows, and how a row reads.
enum StoreTable: String, CaseIterable {
  case records, notes

  /// The first is always `rowid`.
  var columns: String {
    switch self {
    case .records: "rowid, alert, contact, sequence, open, pressed_at, document"
    case .notes: "rowid, name, document"
    }
  }

  /// nil where the row is none that this version knows.
  func write(_ row: SQLiteDatabase.Row) -> StoreWrite? {
    switch self {
    case .records where row.text(2).isEmpty:
      .alert(
        id: row.text(1), ended: row.integer(4) == 0, pressedAt: row.integer(5), document: row.text(6))
    case .records:
      .delivery(
        alertID: row.text(1), contactID: row.text(2), sequence: Int(row.integer(3)),
        pending: row.integer(4) != 0, document: row.text(6))
    case .notes:
      StoreNote(rawValue: row.text(1)).map { .note($0, document: row.text(2)) }
    }
  }
}
