import DaemonCore

/// The rows of the outbox, in order of arrival.
struct Rows {
  struct Alert {
    var ended: Bool
    var pressedAt: Int64
    var document: String
  }
  struct Row {
    var pending: Bool
    var document: String
  }

  private static let pruningStep = 8

  private(set) var alerts: [String: Alert] = [:]
  private(set) var deliveries: [Delivery.Key: Row] = [:]
  private(set) var notes: [StoreNote: String] = [:]
  private var alertOrder: [String] = []
  private var deliveryOrder: [Delivery.Key] = []

  mutating func apply(_ writes: [StoreWrite]) {
    for write in writes { apply(write) }
  }

  mutating func apply(_ write: StoreWrite) {
    switch write {
    case .alert(let id, let ended, let pressedAt, let document):
      let row = Alert(ended: ended, pressedAt: pressedAt, document: document)
      if alerts.updateValue(row, forKey: id) == nil { alertOrder.append(id) }
    case .delivery(let alert, let contact, let sequence, let pending, let document):
      let key = Delivery.Key(alertID: alert, contactID: contact, sequence: sequence)
      if deliveries.updateValue(Row(pending: pending, document: document), forKey: key) == nil {
        deliveryOrder.append(key)
      }
    case .note(let note, let document): notes[note] = document
    }
  }

  /// A step, as the shell's store takes it: alerts first, then what is left of them. Returns whether there was one.
  mutating func prune(_ pruning: Pruning) -> Bool {
    let remnants = deliveryOrder.filter { alerts[$0.alertID] == nil && deliveries[$0]?.pending == false }
    if !remnants.isEmpty {
      for key in remnants.prefix(Self.pruningStep) { deliveries[key] = nil }
      deliveryOrder.removeAll { deliveries[$0] == nil }
      return true
    }
    let busy = Set(deliveries.lazy.filter(\.value.pending).map(\.key.alertID))
    let newest = Set(alertOrder.suffix(pruning.keepNewest))
    let leaving = alertOrder.filter { id in
      guard let alert = alerts[id], alert.ended, !busy.contains(id) else { return false }
      return !newest.contains(id) || pruning.before.map { alert.pressedAt < $0 } ?? false
    }
    for id in leaving.prefix(Self.pruningStep) { alerts[id] = nil }
    alertOrder.removeAll { alerts[$0] == nil }
    return !leaving.isEmpty
  }

  /// What a start reads: alerts that are not over or have something pending, with all their deliveries.
  var state: StoredState {
    let busy = Set(deliveries.lazy.filter(\.value.pending).map(\.key.alertID))
    let live = alertOrder.filter { id in busy.contains(id) || alerts[id]?.ended == false }
    let ids = Set(live)
    return StoredState(
      alerts: live.compactMap { alerts[$0]?.document },
      deliveries: deliveryOrder.filter { ids.contains($0.alertID) }.compactMap { deliveries[$0]?.document },
      notes: notes)
  }

  func alertDocuments(_ id: String?) -> [String] {
    alertOrder.filter { id == nil || $0 == id }.compactMap { alerts[$0]?.document }
  }

  func deliveryDocuments(_ id: String?) -> [String] {
    deliveryOrder.filter { id == nil || $0.alertID == id }.compactMap { deliveries[$0]?.document }
  }
}
