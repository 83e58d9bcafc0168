import Testing

@testable import DaemonCore

/// Trouble with the disk is told when it begins and when all of it is over, and no message waits for it.
@Suite struct StoreLedgerTests {
  private static let key = Delivery.Key(alertID: "a", contactID: "mum", sequence: 1)
  private static let start = BootTime(nanoseconds: 1_000_000_000)

  @Test func aFailureIsOverOnceEverythingIsOnDisk() {
    var ledger = StoreLedger()
    let first = ledger.handedOver(waiting: [Self.key], at: Self.start)
    let second = ledger.handedOver(waiting: [], at: Self.start)

    let failed = ledger.failed(first, reason: "full")
    #expect(failed.free == [Self.key] && failed.isNews)
    #expect(!ledger.failed(second, reason: "full").isNews)
    #expect(ledger.failure == "full" && !ledger.isDurable)

    #expect(!ledger.stored(first).recovered)
    #expect(ledger.stored(second).recovered)
    #expect(ledger.failure == nil && ledger.isDurable)
    #expect(!ledger.stored(ledger.handedOver(waiting: [], at: Self.start)).recovered)
  }

  @Test func aDiskThatAnswersLateHasItsTroubleBehindIt() {
    var ledger = StoreLedger()
    let batch = ledger.handedOver(waiting: [Self.key], at: Self.start)
    let late = Self.start + StoreLedger.patience

    let overdue = ledger.overdue(at: late)
    #expect(overdue.free == [Self.key] && overdue.isNews)
    #expect(ledger.overdue(at: late).free.isEmpty)

    let stored = ledger.stored(batch)
    #expect(stored.free.isEmpty && stored.recovered)
  }
}
