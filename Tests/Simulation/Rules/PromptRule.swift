import DaemonCore

/// Everyone's first try begins within a second of when it may, whatever happens to the others and to the address,
/// which is waited for as long as is configured; and what a start finds pending goes on within three.
struct PromptRule: Rule {
  static let name = "prompt"

  private var due: [Delivery.Key: Int64] = [:]
  /// Of this run.
  private var known: Set<Delivery.Key> = []

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .started, .ended: (due, known) = ([:], [])
    case .loaded(let rows):
      for case .delivery(let row) in rows where row.pending && !known.contains(row.key) {
        expect(row, within: s(3), scene)
      }
    case .handled(let event, _, let rows):
      switch event {
      case .configRead: due = [:]
      default: break
      }
      for case .delivery(let row) in rows { changed(row, scene) }
    case .sent(let letter): due[letter.key] = nil
    default: break
    }
    guard let late = due.first(where: { scene.now > max($0.value, scene.stalledUntil + s(2)) }) else {
      return nil
    }
    return "\(late.key.alertID)/\(late.key.contactID)/\(late.key.sequence) has not left in time"
  }

  private mutating func changed(_ row: DeliveryRow, _ scene: Scene) {
    if !row.pending { due[row.key] = nil }
    guard known.insert(row.key).inserted, row.pending, row.key.sequence == 0 || row.kind == .allClear else {
      return
    }
    let window = row.state == .held ? s(scene.setup.window) : 0
    let address = scene.setup.addresses ? Places.settings.deadline.wholeNanoseconds : 0
    expect(row, within: max(window, address) + ms(1500), scene)
  }

  private mutating func expect(_ row: DeliveryRow, within span: Int64, _ scene: Scene) {
    known.insert(row.key)
    let names = Set(scene.setup.people.flatMap { $0.routes.split(separator: " ").map(String.init) })
    // The first may have been tried before a restart, and the next be gone from the configuration.
    let isPresent = scene.setup.people.contains { $0.id == row.key.contactID }
    guard isPresent || row.services.allSatisfy(names.contains) else { return }
    due[row.key] = scene.now + span
  }
}
