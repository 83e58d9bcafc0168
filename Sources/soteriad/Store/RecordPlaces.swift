import DaemonCore

/// In which row each record stands that may change again: all of an alert of which a row is still open. With them no
/// index in the file is needed, which would be a second page to write at each press. An alert's own row has the key
/// without a contact.
struct RecordPlaces {
  private struct Place {
    var seq: Int64
    var sequence: Int
    var contactID: String
    var isOpen: Bool
  }

  private var ofAlert: [String: [Place]] = [:]
  /// Alerts of which a row was closed.
  private var closed: Set<String> = []

  subscript(key: Delivery.Key) -> Int64? {
    ofAlert[key.alertID]?.first { $0.sequence == key.sequence && $0.contactID == key.contactID }?.seq
  }

  func isLive(_ alertID: String) -> Bool { ofAlert[alertID] != nil }

  /// That row was written.
  mutating func note(_ key: Delivery.Key, at seq: Int64, isOpen: Bool) {
    let place = Place(seq: seq, sequence: key.sequence, contactID: key.contactID, isOpen: isOpen)
    func put(in places: inout [Place]) {
      if let index = places.firstIndex(where: { $0.seq == seq }) {
        places[index] = place
      } else {
        places.append(place)
      }
    }
    put(in: &ofAlert[key.alertID, default: []])
    if !isOpen { closed.insert(key.alertID) }
  }

  /// All that had to be written together was: forgets alerts of which no row is open any more.
  mutating func settle() {
    for alertID in closed where ofAlert[alertID]?.contains(where: \.isOpen) != true { ofAlert[alertID] = nil }
    closed = []
  }

  /// Finds them in the file.
  init(in database: SQLiteDatabase) throws(StoreError) {
    try find("WHERE alert IN (SELECT alert FROM records WHERE open = 1)", in: database) { _ in true }
  }

  /// Finds also those of the alerts of `writes`, even if these are over.
  mutating func find(_ writes: [StoreWrite], in database: SQLiteDatabase) throws(StoreError) {
    let alerts = Set(writes.compactMap(\.alertID))
    try find("", in: database, where: alerts.contains)
  }

  private mutating func find(
    _ filter: String, in database: SQLiteDatabase, where isWanted: (String) -> Bool
  ) throws(StoreError) {
    var found: [String: [Place]] = [:]
    try database.each("SELECT alert, contact, sequence, open, seq FROM records \(filter)") { row in
      let alertID = row.text(0)
      if isWanted(alertID) {
        found[alertID, default: []].append(
          Place(
            seq: row.integer(4), sequence: Int(row.integer(2)), contactID: row.text(1),
            isOpen: row.integer(3) != 0))
      }
      return true
    }
    ofAlert.merge(found) { $1 }
  }
}
