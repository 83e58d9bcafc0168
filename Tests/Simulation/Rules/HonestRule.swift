import DaemonCore

/// The status never claims more than is so.
struct HonestRule: Rule {
  static let name = "honest"

  /// How long the daemon may take to notice.
  private static let notice = s(6)

  private var handedOver: [Int: Int64] = [:]
  private var pending: Set<Delivery.Key> = []
  /// Of this run.
  private var own: Set<Delivery.Key> = []
  private var lastFix: Int64?
  private var cannotKeep = false

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .started: self = HonestRule()
    case .loaded(let rows):
      // What this run has handed over is newer than what it reads back.
      take(rows.filter { if case .delivery(let row) = $0 { !own.contains(row.key) } else { false } })
    case .handled(let event, let actions, let rows):
      hear(event, scene)
      for case .delivery(let row) in rows { own.insert(row.key) }
      for case .store(let batch, _) in actions { handedOver[batch] = scene.now }
      take(rows)
    case .asked(let sight): return complaint(sight, scene)
    default: break
    }
    return nil
  }

  private mutating func hear(_ event: Event, _ scene: Scene) {
    switch event {
    case .stored(let batch): handedOver[batch] = nil
    case .storeDurability(let problem): cannotKeep = problem != nil
    case .gpsReported(let report):
      if report.mode >= 2, let latitude = report.latitude, abs(latitude) > 0.05 { lastFix = scene.now }
    default: break
    }
  }

  private mutating func take(_ rows: [Row]) {
    for case .delivery(let row) in rows {
      if row.pending { pending.insert(row.key) } else { pending.remove(row.key) }
    }
  }

  private func complaint(_ sight: StatusSight, _ scene: Scene) -> String? {
    let status = sight.status
    let state = status["state"]?.string ?? ""
    let button = status["button"]?["state"]?.string ?? ""
    if state != "degraded", !sight.isLineWatched { return "\(state) while no line is watched" }
    if button == "ready" || button == "pressed", !sight.isLineWatched {
      return "button \(button) while no line is watched"
    }
    if button == "ready", sight.isHeldLong { return "button ready while it is held" }
    if state != "degraded", !sight.isFileInForce { return "\(state) while the file has errors" }
    if status["config"]?["source"]?.string == "file", !sight.isFileInForce {
      return "the file is in force, says the status"
    }
    let isOwed = cannotKeep || handedOver.values.contains { scene.now - $0 > Self.notice }
    if status["outbox"]?["durable"]?.bool == true, isOwed {
      return "durable while the disk has not taken everything"
    }
    if status["outbox"]?["pending"]?.integer != pending.count {
      return "\(pending.count) messages are pending, says the store, and the status another number"
    }
    if status["gps"]?["state"]?.string == "fix", lastFix.map({ scene.now - $0 > s(31) }) ?? true {
      return "a fix that nobody has reported for half a minute"
    }
    return nil
  }
}
