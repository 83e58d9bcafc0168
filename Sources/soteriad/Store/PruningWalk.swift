import DaemonCore

/// Goes through the store once, the oldest row first, and takes out what may go, in steps of few rows: a press waits
/// for one of them at most.
///
/// An alert stands before its deliveries, so it goes first, and with it all that readers see. Deliveries whose alert is
/// gone, perhaps in an earlier run, go when the walk comes to them.
struct PruningWalk {
  /// Rows that a step deletes at most.
  static let mostDeleted = 128
  /// Rows that a step looks at, at most.
  private static let mostSeen = 1024

  /// Behind which row it goes on.
  private var seq: Int64 = -1
  /// The last row when it began. What comes later may take the numbers of rows that are gone, on both sides of `seq`.
  private let end: Int64
  /// Of the rows of alerts that are over this one and those before it go.
  private let newestThatGoes: Int64
  /// And those of a press before this.
  private let before: Int64
  /// Alerts that it came by and that stay.
  private var kept: Set<String> = []

  init(_ pruning: Pruning, in database: SQLiteDatabase) throws(StoreError) {
    before = pruning.before ?? .min
    end = try database.integer("SELECT max(seq) FROM records") ?? 0
    newestThatGoes =
      try database.integer(
        "SELECT seq FROM records WHERE contact = '' ORDER BY seq DESC LIMIT 1 OFFSET ?",
        [.integer(Int64(max(0, pruning.keepNewest)))]) ?? -1
  }

  /// Returns false at the end.
  mutating func step(in database: SQLiteDatabase, isLive: (String) -> Bool) throws(StoreError) -> Bool {
    var (last, seen) = (seq, 0)
    var doomed: [Int64] = []
    try database.each(
      """
      SELECT seq, alert, contact = '', pressed_at FROM records WHERE seq > ? AND seq <= ?
        ORDER BY seq LIMIT ?
      """,
      [.integer(seq), .integer(end), .integer(Int64(Self.mostSeen))]
    ) { row in
      let (seq, alert, isAlert) = (row.integer(0), row.text(1), row.integer(2) != 0)
      if isLive(alert) || isAlert && seq > newestThatGoes && row.integer(3) >= before {
        kept.insert(alert)
      } else if isAlert || !kept.contains(alert) {
        doomed.append(seq)
      }
      (last, seen) = (seq, seen + 1)
      return doomed.count < Self.mostDeleted
    }
    if !doomed.isEmpty {
      let list = doomed.map(\.description).joined(separator: ",")
      try database.run("DELETE FROM records WHERE seq IN (\(list))")
    }
    seq = last
    return seen == Self.mostSeen || doomed.count == Self.mostDeleted
  }
}
