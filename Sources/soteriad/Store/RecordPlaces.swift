import DaemonCore

/// In which row each record stands that may change again: all of an alert of which a row is still open. With them no
/// index in the file is needed, which would be a second page to write at each press. An alert's own row has the key
/// without a contact.
struct RecordPlaces {
  private struct Place {
    var key: Delivery.Key
    var seq: Int64
    var isOpen: Bool
  }

  // A list, as mostly there are none: to search it is less than to hash a name.
  private var places: [Place] = []
  /// Alerts of which a row was closed.
  private var closed: [String] = []

  var alerts: Set<String> { Set(places.map(\.key.alertID)) }

  /// The row of `key`, which is written now; nil where there is none.
  mutating func update(_ key: Delivery.Key, isOpen: Bool) -> Int64? {
    // The number first: a long alert has a thousand of them, and the names are the same in most.
    for index in places.indices
    where places[index].key.sequence == key.sequence && places[index].key == key {
      places[index].isOpen = isOpen
      note(key, isOpen: isOpen)
      return places[index].seq
    }
    return nil
  }

  /// That row was written, of a key that had none.
  mutating func add(_ key: Delivery.Key, at seq: Int64, isOpen: Bool) {
    places.append(Place(key: key, seq: seq, isOpen: isOpen))
    note(key, isOpen: isOpen)
  }

  private mutating func note(_ key: Delivery.Key, isOpen: Bool) {
    if !isOpen { closed.append(key.alertID) }
  }

  /// All that had to be written together was: forgets alerts of which no row is open any more.
  mutating func settle() {
    if closed.isEmpty { return }
    for alertID in closed where !places.contains(where: { $0.isOpen && $0.key.alertID == alertID }) {
      places.removeAll { $0.key.alertID == alertID }
    }
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
    var found: [Place] = []
    try database.each("SELECT alert, contact, sequence, open, seq FROM records \(filter)") { row in
      let alertID = row.text(0)
      if isWanted(alertID) {
        let key = Delivery.Key(alertID: alertID, contactID: row.text(1), sequence: Int(row.integer(2)))
        found.append(Place(key: key, seq: row.integer(4), isOpen: row.integer(3) != 0))
      }
      return true
    }
    // What stands in the file counts.
    let alerts = Set(found.map(\.key.alertID))
    places.removeAll { alerts.contains($0.key.alertID) }
    places += found
  }
}
