import DaemonCore

/// Rows by key, the newest of each, in the order in which the keys first came.
struct StoreRows {
  private enum Key: Hashable {
    case alert(String)
    case delivery(String, String, Int)
    case note(StoreNote)

    init(_ write: StoreWrite) {
      switch write {
      case .alert(let id, _, _, _): self = .alert(id)
      case .delivery(let alert, let contact, let sequence, _, _): self = .delivery(alert, contact, sequence)
      case .note(let note, _): self = .note(note)
      }
    }
  }

  private var order: [Key] = []
  private var rows: [Key: StoreWrite] = [:]

  init(_ writes: [StoreWrite] = []) {
    put(writes)
  }

  var isEmpty: Bool { rows.isEmpty }
  var writes: [StoreWrite] { order.compactMap { rows[$0] } }

  mutating func put(_ writes: [StoreWrite]) {
    for write in writes {
      let key = Key(write)
      if rows.updateValue(write, forKey: key) == nil { order.append(key) }
    }
  }

  /// Takes in what is older than what is here.
  mutating func putBelow(_ older: [StoreWrite]) {
    var merged = StoreRows(older)
    merged.put(writes)
    self = merged
  }

  /// Forgets the oldest rows that nothing depends on until at most `limit` are left: memory has an end, and
  /// what is still to be delivered comes first.
  mutating func shed(to limit: Int) {
    guard rows.count > limit else { return }
    let busy = liveAlerts
    var excess = rows.count - limit
    order.removeAll { key in
      guard excess > 0, let write = rows[key] else { return false }
      switch write {
      case .alert(let id, _, _, _): if busy.contains(id) { return false }
      case .delivery(_, _, _, let pending, _): if pending { return false }
      case .note: return false
      }
      rows[key] = nil
      excess -= 1
      return true
    }
  }

  /// What the Engine wants to know at start.
  func state(damage: [String]) -> StoredState {
    var state = StoredState(damage: damage)
    let live = liveAlerts
    for write in writes {
      switch write {
      case .alert(let id, _, _, let document): if live.contains(id) { state.alerts.append(document) }
      case .delivery(let id, _, _, _, let document):
        if live.contains(id) { state.deliveries.append(document) }
      case .note(let note, let document): state.notes[note] = document
      }
    }
    return state
  }

  /// The documents of one alert or of all, newest alert first.
  func history(of alertID: String?) -> (alerts: [String], deliveries: [String]) {
    var history: (alerts: [String], deliveries: [String]) = ([], [])
    for write in writes {
      switch write {
      case .alert(let id, _, _, let document):
        if alertID == nil || alertID == id { history.alerts.insert(document, at: 0) }
      case .delivery(let id, _, _, _, let document):
        if alertID == nil || alertID == id { history.deliveries.append(document) }
      case .note: break
      }
    }
    return history
  }

  private var liveAlerts: Set<String> {
    var live: Set<String> = []
    for write in rows.values {
      switch write {
      case .alert(let id, let ended, _, _): if !ended { live.insert(id) }
      case .delivery(let id, _, _, let pending, _): if pending { live.insert(id) }
      case .note: break
      }
    }
    return live
  }
}
