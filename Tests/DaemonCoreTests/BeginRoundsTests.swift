import Testing

@testable import DaemonCore

/// `Outbox.beginRounds`: whose turn it is while more is due than a gateway may have under way.
@Suite struct BeginRoundsTests {
  private var outbox = Outbox()
  private var entropy = Entropy(high: 5, low: 6)
  private static let room = Outbox.mostAtOnce

  /// What begins when it is `second`, as sequences.
  private mutating func begun(at second: Int) -> [Int] {
    Self.attempts(in: outbox.advance(to: .zero + .seconds(second), entropy: &entropy))
  }

  private static func attempts(in effects: [Outbox.Effect]) -> [Int] {
    effects.compactMap { effect in
      if case .attempt(let key, _) = effect { key.sequence } else { nil }
    }
  }

  private static func key(_ sequence: Int) -> Delivery.Key {
    Delivery.Key(alertID: "A", contactID: "mum", sequence: sequence)
  }

  private mutating func add(
    _ sequence: Int, by gateway: String = "slow", created: BootTime = .zero, phase: Delivery.Phase? = nil
  ) {
    outbox.add(
      Delivery(
        key: Self.key(sequence), kind: .alert, facts: Facts(position: .unknown, battery: nil),
        contact: Contact(name: "Mum", id: "mum", routes: [Route(gateway: gateway)]), created: created,
        phase: phase ?? .waiting(until: .zero + .milliseconds(sequence))))
  }

  /// So many that fill the gateway, and then those.
  private mutating func queue(_ sequences: [Int]) {
    for sequence in 0..<Self.room { add(sequence) }
    for sequence in sequences { add(sequence) }
  }

  private mutating func finish(_ sequence: Int, _ outcome: Outcome, at second: Int) -> [Int] {
    Self.attempts(
      in: outbox.attemptFinished(
        Self.key(sequence), by: Route(gateway: "slow"), outcome, at: .zero + .seconds(second), fraction: 1))
  }

  @Test mutating func oneBeginsForEachThatEndsInTheOrderInWhichTheyWereDue() {
    queue([22, 21, 20])
    add(30, by: "idle")

    #expect(begun(at: 1) == [30] + Array(0..<Self.room))
    #expect(begun(at: 2) == [])
    #expect(finish(3, .accepted(Acceptance()), at: 2) == [])
    #expect(begun(at: 2) == [20])
    #expect(finish(4, .retry(reason: "busy", after: .seconds(1000)), at: 3) == [])
    #expect(finish(5, .retry(reason: "busy", after: .seconds(1000)), at: 3) == [])
    #expect(begun(at: 3) == [21, 22])
    #expect(begun(at: 4) == [])
  }

  @Test mutating func whatIsNewGoesFirstAndNeedsNoRoom() {
    queue([20])
    _ = begun(at: 1)
    add(30, phase: .storing)

    #expect(finish(0, .accepted(Acceptance()), at: 2) == [])
    #expect(begun(at: 2) == [], "the disk is still busy with what is new")
    #expect(Self.attempts(in: outbox.release(Self.key(30), at: .zero + .seconds(3))) == [30])
    #expect(begun(at: 3) == [], "it has taken the room")
    #expect(finish(1, .accepted(Acceptance()), at: 4) == [])
    #expect(begun(at: 4) == [20])
  }

  @Test mutating func whatWasCancelledExpiredOrHurriedMeanwhileIsNotTriedAgain() {
    queue([20, 22, 23])
    add(21, created: .zero + .seconds(3) - outbox.settings.expire)
    #expect(begun(at: 1).count == Self.room)
    _ = outbox.cancel(Self.key(20))
    // It stands in the queue a second time from now on, as do the others.
    _ = outbox.hurry(at: .zero + .seconds(2), entropy: &entropy)
    #expect(begun(at: 2) == [])

    for sequence in [0, 1] { #expect(finish(sequence, .accepted(Acceptance()), at: 5) == []) }
    #expect(begun(at: 5) == [22, 23])

    #expect(outbox[Self.key(20)]?.state == .cancelled)
    #expect(outbox[Self.key(21)]?.state == .expired)
    #expect(outbox[Self.key(21)]?.attempts == 0)
    #expect(finish(23, .retry(reason: "busy", after: nil), at: 6) == [])
    #expect(begun(at: 6) == [], "its back-off holds, wherever it still stands")
    #expect(begun(at: 8) == [23])
  }
}
