/// One row to put on disk. The store knows keys, flags and a document; what a document means is decided here.
package enum StoreWrite: Hashable, Sendable {
  /// `ended`: may be pruned. `pressedAt`: milliseconds since 1970, for pruning by age; `.max` where no
  /// clock could tell.
  case alert(id: String, ended: Bool, pressedAt: Int64, document: String)
  /// `pending`: read back at the next start.
  case delivery(alertID: String, contactID: String, sequence: Int, pending: Bool, document: String)
  /// A fact that outlives a restart, one row a name.
  case note(StoreNote, document: String)

  /// nil: it belongs to none.
  package var alertID: String? {
    switch self {
    case .alert(let id, _, _, _): id
    case .delivery(let id, _, _, _, _): id
    case .note: nil
    }
  }
}

/// Which alerts may leave the store: ended, without pending deliveries, and too many or too old.
package struct Pruning: Hashable, Sendable {
  /// How many of the newest alerts stay.
  package var keepNewest: Int
  /// Those pressed before this go however few there are; milliseconds since 1970, nil while the clock is not trusted.
  package var before: Int64?

  package init(keepNewest: Int, before: Int64?) {
    self.keepNewest = keepNewest
    self.before = before
  }
}

/// The facts that outlive a restart beside the alerts.
package enum StoreNote: String, Hashable, Sendable, CaseIterable {
  /// Where the wearer was last.
  case position
  /// Which button was seen to work.
  case button
}

/// What the store held at start. Documents are as they were written, by whatever version.
package struct StoredState: Hashable, Sendable {
  /// Of alerts that have not ended or have a pending delivery, oldest first.
  package var alerts: [String]
  /// Every delivery of those alerts.
  package var deliveries: [String]
  package var notes: [StoreNote: String]
  /// What had to be set aside, a sentence each.
  package var damage: [String]

  package init(
    alerts: [String] = [], deliveries: [String] = [], notes: [StoreNote: String] = [:], damage: [String] = []
  ) {
    self.alerts = alerts
    self.deliveries = deliveries
    self.notes = notes
    self.damage = damage
  }
}
