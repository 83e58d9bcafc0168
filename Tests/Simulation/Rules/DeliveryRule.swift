import DaemonCore

/// What was stored reaches every contact who can be reached, or ends visibly; and nothing counts as taken that no
/// service took.
struct DeliveryRule: Rule {
  static let name = "delivered or told"

  private var taken: Set<Delivery.Key> = []
  /// First messages and all-clears that were on the medium.
  private var stored: [Delivery.Key: DeliveryRow] = [:]
  private var cancelled: Set<String> = []
  private var shortestExpiry = Int64.max
  private var openDrills: Set<String> = []

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .taken(let letter): taken.insert(letter.key)
    case .synced(let writes):
      for case .delivery(let row) in Row.rows(of: writes) where row.kind != .update {
        stored[row.key] = row
      }
    case .handled(let event, let actions, let rows):
      shortestExpiry = min(shortestExpiry, s(scene.setup.expire * 3600))
      if case .commanded(_, .cancel) = event {
        for case .alert(let row) in rows where row.state == .cancelled { cancelled.insert(row.id) }
      }
      for case .delivery(let row) in rows {
        if let complaint = complaint(row, actions, scene) { return complaint }
      }
    case .over: return undone(scene)
    default: break
    }
    return nil
  }

  private func complaint(_ row: DeliveryRow, _ actions: [Action], _ scene: Scene) -> String? {
    let what = "\(row.kind.rawValue) \(row.key.alertID)/\(row.key.contactID)/\(row.key.sequence)"
    switch row.state {
    case .accepted, .delivered, .acknowledged:
      return taken.contains(row.key) ? nil : "\(what) is called \(row.state) and no service has it"
    case .expired:
      let age = scene.uptime - row.created.uptime(scene)
      // A drill is over after ten minutes.
      guard age >= shortestExpiry - s(2) || age >= s(598) && !isAlert(row) else {
        return "\(what) was given up after \(age / s(1)) s"
      }
      let isTold = actions.contains { action in
        if case .log(let line) = action {
          line.level <= .error && line.text.contains("never got it")
        } else {
          false
        }
      }
      return isTold ? nil : "\(what) was given up silently"
    case .cancelled:
      return isAlert(row) && !cancelled.contains(row.key.alertID) ? "\(what) was cancelled by nobody" : nil
    case .held, .pending, .refused:
      return row.pending ? nil : "\(what) ended as \(row.state)"
    }
  }

  private func isAlert(_ row: DeliveryRow) -> Bool { row.kind == .alert }

  private func undone(_ scene: Scene) -> String? {
    for (key, _) in stored {
      let what = "\(key.alertID)/\(key.contactID)/\(key.sequence)"
      guard let row = scene.disk.rows.deliveries[key] else { return "\(what) was stored and is gone" }
      guard row.pending, canBeReached(key, row, scene) else { continue }
      return "\(what) is still pending long after everything works"
    }
    return nil
  }

  private func canBeReached(_ key: Delivery.Key, _ row: Rows.Row, _ scene: Scene) -> Bool {
    if scene.setup.people.contains(where: { $0.id == key.contactID }) { return true }
    // Who is gone has the old routes; what a weak one took waits for a strong one that may be gone.
    guard let old = DeliveryRow(row.document), old.state != .accepted else { return false }
    let names = Set(scene.setup.people.flatMap { $0.routes.split(separator: " ").map(String.init) })
    return old.services.contains(where: names.contains)
  }
}
