import CSQLite
import DaemonCore
import Glibc

/// The documents of past alerts, newest first, bounded so that no history can fill the memory.
struct StoreHistory {
  static let alertLimit: Int64 = 1000
  /// Bytes of documents; the newest alert is always whole.
  static let byteLimit = 1_048_576

  var alerts: [String] = []
  var deliveries: [String] = []

  init(_ database: SQLiteDatabase, alertID: String?) throws(StoreError) {
    var ids: [String] = []
    var documents: [String] = []
    let filter = alertID == nil ? "" : "AND alert = ?"
    try database.each(
      """
      SELECT alert, document FROM records WHERE contact = '' \(filter)
        ORDER BY seq DESC LIMIT \(Self.alertLimit)
      """,
      alertID.map { [.text($0)] } ?? []
    ) { row in
      ids.append(row.text(0))
      documents.append(row.text(1))
      return true
    }
    var bytes = 0
    for (id, document) in zip(ids, documents) {
      var its: [String] = []
      try database.each(
        "SELECT document FROM records WHERE alert = ? AND contact <> '' ORDER BY sequence, seq", [.text(id)]
      ) { row in
        its.append(row.text(0))
        return true
      }
      bytes += document.utf8.count + its.reduce(0) { $0 + $1.utf8.count }
      if bytes > Self.byteLimit, !alerts.isEmpty { return }
      alerts.append(document)
      deliveries += its
    }
  }

  /// Reads the store while no daemon holds it.
  init(stateDirectory: String, alertID: String?) throws(StoreError) {
    let path = "\(stateDirectory)/\(StoreFiles.name)"
    var info = stat()
    if stat(path, &info) != 0 {
      guard errno == ENOENT else { throw StoreError(SystemError("cannot read \(path)")) }
      // No alert was ever raised.
      self.init()
      return
    }
    guard access(path, R_OK) == 0 else {
      throw StoreError(.unusable, "cannot read \(path)", StateDirectory.refusal(path, info))
    }
    let database = try SQLiteDatabase(path: path, flags: SQLITE_OPEN_READONLY)
    try self.init(database, alertID: alertID)
  }

  private init() {}
}
