import DaemonCore

/// The daemon never spins: a deadline that was served is followed by a later one, and no second is crowded.
struct CalmRule: Rule {
  static let name = "calm"

  /// A press of four contacts with three routes each, and everything else that can fall into one second.
  private static let perSecond = 400
  /// Tries of one message by one service: every ten seconds the network may come back.
  private static let perHour = 400

  private struct Way: Hashable {
    var key: Delivery.Key
    var service: Service
  }

  private var second: Int64 = 0
  private var actions = 0
  private var hour: Int64 = 0
  private var tries: [Way: Int] = [:]

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    switch sight {
    case .planned(let deadline):
      if let deadline, deadline <= scene.boot {
        return "at \(scene.boot.nanoseconds) ns the next deadline is \(deadline.nanoseconds) ns"
      }
    case .handled(_, let done, _):
      if scene.now / s(1) != second { (second, actions) = (scene.now / s(1), 0) }
      actions += done.count
      if actions > Self.perSecond { return "\(actions) actions within a second" }
    case .sent(let letter) where letter.step == 0:
      if scene.now / s(3600) != hour { (hour, tries) = (scene.now / s(3600), [:]) }
      let way = Way(key: letter.key, service: letter.service)
      tries[way, default: 0] += 1
      if tries[way, default: 0] > Self.perHour {
        return "\(Self.perHour) tries of one message within an hour"
      }
    default: break
    }
    return nil
  }
}
