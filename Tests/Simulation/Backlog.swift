import DaemonCore

/// What the medium has not taken yet: the newest row of each key, in the order in which the keys first came.
struct Backlog {
  private enum Key: Hashable {
    case alert(String)
    case delivery(Delivery.Key)
    case note(StoreNote)

    init(_ write: StoreWrite) {
      switch write {
      case .alert(let id, _, _, _): self = .alert(id)
      case .delivery(let alert, let contact, let sequence, _, _):
        self = .delivery(Delivery.Key(alertID: alert, contactID: contact, sequence: sequence))
      case .note(let note, _): self = .note(note)
      }
    }
  }

  private var rows: [Key: StoreWrite] = [:]
  private var order: [Key] = []

  var isEmpty: Bool { order.isEmpty }
  var count: Int { order.count }
  var writes: [StoreWrite] { order.compactMap { rows[$0] } }
  func holds(_ key: Delivery.Key) -> Bool { rows[.delivery(key)] != nil }

  mutating func put(_ writes: [StoreWrite]) {
    for write in writes {
      let key = Key(write)
      if rows.updateValue(write, forKey: key) == nil { order.append(key) }
    }
  }
}
