/// What was handed to the store and has not been heard of yet, and whom it holds up.
package struct StoreLedger: Sendable {
  /// How long a message waits for the disk before it leaves from memory.
  package static let patience = Duration.milliseconds(500)

  /// And how long the disk may be silent before it is said not to answer.
  package static let silence = Duration.seconds(5)

  private struct Batch: Sendable {
    var number: Int
    var waiting: [Delivery.Key]
    var deadline: BootTime
  }

  private var next = 1
  /// Unheard of, and in time so far.
  private var fresh: [Batch] = []
  /// Batches that failed or took too long and have not been stored since.
  private var late: Set<Int> = []
  /// Why the newest failure happened; nil while none is open.
  package private(set) var failure: String?
  /// Why what is stored does not survive a power cut although storing works.
  package var durabilityProblem: String?

  package init() {}

  /// Whether everything handed over so far is, or is about to be, safe on disk.
  package var isDurable: Bool { late.isEmpty && failure == nil && durabilityProblem == nil }

  package var nextDeadline: BootTime? {
    fresh.lazy.map(\.deadline).min()
  }

  /// Whether any message waits for the disk's answer.
  package var isHolding: Bool {
    for batch in fresh where !batch.waiting.isEmpty { return true }
    return false
  }

  /// Whether that message waits for the disk's answer.
  package func isWaiting(_ key: Delivery.Key) -> Bool {
    fresh.contains { $0.waiting.contains(key) }
  }

  /// Whether any message of that alert does.
  package func isWaiting(alertID: String) -> Bool {
    fresh.contains { $0.waiting.contains { $0.alertID == alertID } }
  }

  /// A batch goes to the store; `waiting` are the messages that may not leave before it is safe.
  package mutating func handedOver(waiting: [Delivery.Key], at now: BootTime) -> Int {
    defer { next += 1 }
    let patience = waiting.isEmpty ? Self.silence : Self.patience
    fresh.append(Batch(number: next, waiting: waiting, deadline: now + patience))
    return next
  }

  /// Returns whom this lets go, and whether it ends a time of trouble.
  package mutating func stored(_ batch: Int) -> (free: [Delivery.Key], recovered: Bool) {
    let free = heard(batch)
    let wasLate = late.remove(batch) != nil
    guard late.isEmpty, wasLate || failure != nil else { return (free, false) }
    failure = nil
    return (free, true)
  }

  /// The batch is not on disk; the store goes on trying. Returns whom to let go all the same.
  package mutating func failed(_ batch: Int, reason: String) -> (free: [Delivery.Key], isNews: Bool) {
    let free = heard(batch)
    late.insert(batch)
    defer { failure = reason }
    return (free, failure != reason)
  }

  /// Whom the disk has kept waiting for too long, and whether its silence is news.
  package mutating func overdue(at now: BootTime) -> (free: [Delivery.Key], isNews: Bool) {
    let tardy = fresh.filter { now >= $0.deadline }
    guard !tardy.isEmpty else { return ([], false) }
    fresh.removeAll { now >= $0.deadline }
    late.formUnion(tardy.map(\.number))
    defer { failure = failure ?? "the disk does not answer" }
    return (tardy.flatMap(\.waiting), failure == nil)
  }

  private mutating func heard(_ batch: Int) -> [Delivery.Key] {
    guard let index = fresh.firstIndex(where: { $0.number == batch }) else { return [] }
    return fresh.remove(at: index).waiting
  }
}
