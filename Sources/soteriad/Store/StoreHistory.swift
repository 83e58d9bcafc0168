import CSQLite
import DaemonCore
import Glibc

/// The documents of past alerts, newest first, bounded so that no history can fill the memory.
struct StoreHistory {
  static let alertLimit = 1000
  /// Bytes of documents; the newest alert is always whole.
  static let byteLimit = 1_048_576

  var alerts: [String] = []
  var deliveries: [String] = []

  init(_ database: SQLiteDatabase, alertID: String?) throws(StoreError) {
    // An alert stands before its deliveries, so from the end these come first.
    var waiting: [String: [(sequence: Int64, seq: Int64, document: String)]] = [:]
    var bytes = 0
    try database.each(
      """
      SELECT alert, contact = '', sequence, document, seq FROM records \(alertID == nil ? "" : "WHERE alert = ?")
        ORDER BY seq DESC
      """,
      alertID.map { [.text($0)] } ?? []
    ) { row in
      let (alert, document) = (row.text(0), row.text(3))
      bytes += document.utf8.count
      if bytes > Self.byteLimit, !alerts.isEmpty { return false }
      guard row.integer(1) != 0 else {
        waiting[alert, default: []].append((row.integer(2), row.integer(4), document))
        return true
      }
      alerts.append(document)
      let its = waiting.removeValue(forKey: alert) ?? []
      deliveries += its.sorted { ($0.sequence, $0.seq) < ($1.sequence, $1.seq) }.map(\.document)
      return alertID == nil && alerts.count < Self.alertLimit
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
