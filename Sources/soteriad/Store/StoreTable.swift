import DaemonCore

/// The tables that hold rows, and how a row reads.
enum StoreTable: String, CaseIterable {
  case alerts, deliveries, notes

  /// The first is always `rowid`.
  var columns: String {
    switch self {
    case .alerts: "rowid, id, ended, pressed_at, document"
    case .deliveries: "rowid, alert, contact, sequence, pending, document"
    case .notes: "rowid, name, document"
    }
  }

  /// nil where the row is none that this version knows.
  func write(_ row: SQLiteDatabase.Row) -> StoreWrite? {
    switch self {
    case .alerts:
      .alert(
        id: row.text(1), ended: row.integer(2) != 0, pressedAt: row.integer(3), document: row.text(4))
    case .deliveries:
      .delivery(
        alertID: row.text(1), contactID: row.text(2), sequence: Int(row.integer(3)),
        pending: row.integer(4) != 0, document: row.text(5))
    case .notes:
      StoreNote(rawValue: row.text(1)).map { .note($0, document: row.text(2)) }
    }
  }
}
