import DaemonCore

/// Nothing is sent that is not on disk, except when storing fails or takes too long, and then loudly.
struct StoredFirstRule: Rule {
  static let name = "stored first"

  private var outstanding: Set<Int> = []
  private var failing: Set<Int> = []
  /// Whether the log has told of the present trouble.
  private var isTold = false

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .started: self = StoredFirstRule()
    case .handled(let event, let actions, _): handled(event, actions)
    case .sent(let letter):
      if !isTold, !scene.disk.holds(letter.key) {
        return
          "\(letter.key.alertID)/\(letter.key.contactID)/\(letter.key.sequence) left before it was stored, and silently"
      }
    default: break
    }
    return nil
  }

  private mutating func handled(_ event: Event, _ actions: [Action]) {
    switch event {
    case .stored(let batch):
      outstanding.remove(batch)
      failing.remove(batch)
    case .storeFailed(let batch, _):
      outstanding.remove(batch)
      failing.insert(batch)
    default: break
    }
    if failing.isEmpty, outstanding.isEmpty { isTold = false }
    for action in actions {
      switch action {
      case .store(let batch, _): outstanding.insert(batch)
      case .log(let line): if line.level == .critical { isTold = true }
      default: break
      }
    }
  }
}
