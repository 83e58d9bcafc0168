import DaemonCore

/// After a cancel nothing but the all-clear is begun, and everyone who may have heard gets that.
struct CancelRule: Rule {
  static let name = "all-clear"

  private var taken: [String: Set<String>] = [:]
  /// Of this run: what the daemon has of each contact.
  private var known: Set<Delivery.Key> = []
  private var cancelled: Set<String> = []
  private var open: Set<String> = []

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .started: (known, cancelled, open) = ([], [], [])
    case .loaded(let rows):
      for row in rows {
        if case .delivery(let row) = row { known.insert(row.key) }
        if case .alert(let row) = row, row.state == .cancelled { cancelled.insert(row.id) }
        if case .alert(let row) = row { note(row) }
      }
    case .taken(let letter) where letter.kind != .allClear:
      taken[letter.key.alertID, default: []].insert(letter.key.contactID)
    case .sent(let letter):
      if letter.step == 0, letter.kind != .allClear, cancelled.contains(letter.key.alertID) {
        return "\(letter.kind.rawValue) of \(letter.key.alertID) begins after its cancel"
      }
    case .handled(let event, _, let rows): return handled(event, rows, scene)
    default: break
    }
    return nil
  }

  private mutating func handled(_ event: Event, _ rows: [Row], _ scene: Scene) -> String? {
    for case .delivery(let row) in rows { known.insert(row.key) }
    for case .alert(let row) in rows { note(row) }
    guard case .commanded(_, .cancel) = event, !scene.isCutOff else { return nil }
    if let id = open.first, !rows.isEmpty { return "\(id) is still open after a cancel" }
    for case .alert(let alert) in rows where alert.state == .cancelled && cancelled.insert(alert.id).inserted
    {
      var cleared: Set<String> = []
      for case .delivery(let row) in rows where row.kind == .allClear && row.key.alertID == alert.id {
        cleared.insert(row.key.contactID)
      }
      let told = (taken[alert.id] ?? []).filter { contact in
        known.contains { $0.alertID == alert.id && $0.contactID == contact }
      }
      let missing = told.subtracting(cleared)
      if !missing.isEmpty { return "no all-clear of \(alert.id) for \(missing.sorted())" }
    }
    return nil
  }

  private mutating func note(_ row: AlertRow) {
    guard row.kind == .alert else { return }
    if row.state == .open || row.state == .held { open.insert(row.id) } else { open.remove(row.id) }
  }
}
