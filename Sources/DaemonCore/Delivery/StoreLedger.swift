/// What was handed to the store and has not been heard of yet, and whom it holds up.
package struct StoreLedger: Sendable {
  /// How long a message waits for the disk before it leaves from memory.
  package static let patience = Duration.milliseconds(500)

  private struct Batch: Sendable {
    var waiting: [Delivery.Key]
    var deadline: BootTime
  }

  private var next = 1
  private var outstanding: [Int: Batch] = [:]
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
    outstanding.values.lazy.filter { !$0.waiting.isEmpty }.map(\.deadline).min()
  }

  /// Whether that message waits for the disk's answer.
  package func isWaiting(_ key: Delivery.Key) -> Bool {
    outstanding.values.contains { $0.waiting.contains(key) }
  }

  /// A batch goes to the store; `waiting` are the messages that may not leave before it is safe.
  package mutating func handedOver(waiting: [Delivery.Key], at now: BootTime) -> Int {
    defer { next += 1 }
    outstanding[next] = Batch(waiting: waiting, deadline: now + Self.patience)
    return next
  }

  /// Returns whom this lets go, and whether it ends a time of trouble.
  package mutating func stored(_ batch: Int) -> (free: [Delivery.Key], recovered: Bool) {
    let free = outstanding.removeValue(forKey: batch)?.waiting ?? []
    let wasLate = late.remove(batch) != nil
    guard late.isEmpty, wasLate || failure != nil else { return (free, false) }
    failure = nil
    return (free, true)
  }

  /// The batch is not on disk; the store goes on trying. Returns whom to let go all the same.
  package mutating func failed(_ batch: Int, reason: String) -> (free: [Delivery.Key], isNews: Bool) {
    let free = outstanding.removeValue(forKey: batch)?.waiting ?? []
    late.insert(batch)
    defer { failure = reason }
    return (free, failure != reason)
  }

  /// Whom the disk has kept waiting for too long.
  package mutating func overdue(at now: BootTime) -> [Delivery.Key] {
    var free: [Delivery.Key] = []
    for number in outstanding.keys.sorted() {
      guard let batch = outstanding[number], !batch.waiting.isEmpty, now >= batch.deadline else { continue }
      free += batch.waiting
      outstanding[number]?.waiting = []
      late.insert(number)
      failure = failure ?? "the disk does not answer"
    }
    return free
  }
}
