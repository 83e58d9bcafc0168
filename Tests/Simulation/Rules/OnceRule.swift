import DaemonCore

/// A message goes again only after a failed or lost answer or an end of the daemon, under the same name and with the
/// same facts.
struct OnceRule: Rule {
  static let name = "no duplicates"

  private struct Way: Hashable {
    var key: Delivery.Key
    var service: Service
  }

  /// What the daemon of this run knows to have been taken, and by whom.
  private var heard: [Delivery.Key: Service] = [:]
  private var endedOnDisk: Set<Delivery.Key> = []
  private var underWay: Set<Way> = []
  private var facts: [Delivery.Key: String] = [:]
  private var earlierFacts: [Delivery.Key: String] = [:]

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .started:
      heard = [:]
      underWay = []
      endedOnDisk = []
      // What is not read back is forgotten, its number too.
      earlierFacts.merge(facts) { $1 }
      facts = [:]
    case .loaded(let rows):
      for case .delivery(let row) in rows {
        if !row.pending { endedOnDisk.insert(row.key) }
        facts[row.key] = facts[row.key] ?? earlierFacts[row.key]
      }
    case .sent(let letter): return sent(letter)
    case .answered(let letter, let answer):
      if letter.step == 0 { underWay.remove(Way(key: letter.key, service: letter.service)) }
      if answer.isTaken, !letter.service.isWeak, case .success = answer.result {
        heard[letter.key] = letter.service
      }
    case .disowned(let service): heard = heard.filter { $0.value != service }
    default: break
    }
    return nil
  }

  private mutating func sent(_ letter: Letter) -> String? {
    let what = "\(letter.kind.rawValue) \(letter.key.alertID)/\(letter.key.contactID)/\(letter.key.sequence)"
    if let first = facts[letter.key], first != letter.place {
      return "\(what) told \(first) and now tells \(letter.place)"
    }
    facts[letter.key] = letter.place
    guard letter.step == 0 else { return nil }
    if let service = heard[letter.key] {
      return "\(what) goes to \(letter.service) although \(service) took it"
    }
    if endedOnDisk.contains(letter.key) { return "\(what) goes again after a restart although it had ended" }
    guard underWay.insert(Way(key: letter.key, service: letter.service)).inserted else {
      return "\(what) goes twice at once to \(letter.service)"
    }
    return nil
  }
}
