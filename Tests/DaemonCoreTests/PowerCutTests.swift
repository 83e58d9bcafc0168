import Foundation
import Testing

@testable import DaemonCore

/// The power goes after every single action in turn.
@Suite struct PowerCutTests {
  /// A life with trouble in it: routes that fail, a press again, updates, a cancel, a drill, a new alert.
  private static func live(_ world: inout World) {
    world.servers["a"] = { _ in .down }
    world.servers["c"] = { $0.kind == "alert" ? .silent : .ok }
    world.fix(-6.1)
    world.press()
    world.run(for: .seconds(8))
    world.feed(.networkChanged)
    world.run(for: .seconds(60))
    world.fix(-6.2)
    world.press()
    world.run(for: .seconds(70))
    world.feed(.commanded(ClientID(number: 2), .cancel))
    world.run(for: .seconds(5))
    world.press(drill: true)
    world.run(for: .seconds(5))
    world.press()
    world.run(for: .seconds(40))
  }

  private static func world(window: Duration) -> World {
    var config = World.config([["a", "b"], ["c"]])
    config.alert.cancelWindow = window
    config.alert.updates = UpdateSettings()
    return World(config)
  }

  @Test(arguments: [Duration.zero, .seconds(3)], [true, false])
  func losesNothingThatWasStoredAndSendsNothingThatWasNot(_ window: Duration, _ sameBoot: Bool) {
    var whole = Self.world(window: window)
    Self.live(&whole)
    #expect(whole.actionsDone > 100)
    #expect(Set(whole.sent.map(\.kind)) == ["alert", "update", "all-clear", "drill"])

    for step in 1...whole.actionsDone {
      var world = Self.world(window: window)
      world.cutAfter = max(step, world.actionsDone + 1)
      Self.live(&world)
      let complaint = Self.complaint(afterCutOf: &world, sameBoot: sameBoot)
      if let complaint {
        Issue.record("cut after action \(step), window \(window), same boot \(sameBoot): \(complaint)")
        return
      }
    }
  }

  /// What went wrong; nil when nothing did.
  private static func complaint(afterCutOf world: inout World, sameBoot: Bool) -> String? {
    if let early = world.sent.first(where: { !$0.isStored }) {
      return "\(early.key) left before it was stored"
    }
    let rows = world.synced
    let known = Set(rows.deliveries.map { "\($0.alertID)/\($0.contactID)/\($0.sequence)" })
    let before = world.sent.count
    world.servers = [:]
    world.restart(sameBoot: sameBoot)
    world.run(for: .seconds(2))
    let early = Set(world.sent.dropFirst(before).map(\.key))
    for row in rows.deliveries where row.pending {
      let key = "\(row.alertID)/\(row.contactID)/\(row.sequence)"
      if !early.contains(key) { return "\(key) was pending and is not tried within two seconds" }
    }
    world.run(for: .seconds(7200))
    for row in rows.deliveries where row.pending {
      let state = world.state(row.alertID, row.contactID, row.sequence)
      if state != "accepted" { return "\(row.alertID)/\(row.sequence) ended as \(state ?? "nothing")" }
    }
    let alerts = Set(rows.alerts.map(\.id))
    for letter in world.sent.dropFirst(before) {
      if !alerts.contains(letter.alertID) { return "\(letter.key) belongs to no alert that was stored" }
      if letter.sequence == 0, !known.contains(letter.key) { return "\(letter.key) was never asked for" }
      if !letter.isStored { return "\(letter.key) left before it was stored, after the restart" }
    }
    let twice = Dictionary(grouping: world.sent.dropFirst(before), by: \.key).filter { $0.value.count > 1 }
    if let key = twice.keys.first { return "\(key) was sent more than once after the restart" }
    return world.engine.outbox.pending.isEmpty ? nil : "something is pending for ever"
  }
}
