import DaemonCore
import Foundation

@testable import soteriad

/// A running store and what it said.
final class StoreBench {
  let store: OutboxStore
  private(set) var events: [Event] = []
  private var isStopped = false

  init(state: String, runtime: String) throws {
    store = try OutboxStore(stateDirectory: state, runtimeDirectory: runtime)
    store.start()
  }

  convenience init(_ state: Scratch, _ runtime: Scratch) throws {
    try self.init(state: state.path, runtime: runtime.path)
  }

  deinit { stop() }

  @discardableResult
  func stop() -> Bool {
    guard !isStopped else { return true }
    isStopped = true
    return store.stop(within: .seconds(20))
  }

  /// Waits for events until `find` makes something of one. The limit only ends a test that has failed.
  func first<Found>(_ find: (Event) -> Found?) -> Found? {
    var next = 0
    while true {
      while next < events.count {
        defer { next += 1 }
        if let found = find(events[next]) { return found }
      }
      var entry = pollfd(fd: store.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 30_000) > 0 else { return nil }
      events += store.drain()
    }
  }

  func loaded() -> StoredState? {
    first { event in
      if case .storeLoaded(let state) = event { state } else { nil }
    }
  }

  /// Whether the batch was stored the first time the store spoke of it.
  func put(_ batch: Int, _ writes: [StoreWrite]) -> Bool? {
    store.enqueue(batch: batch, writes)
    return first { event in
      switch event {
      case .stored(batch): true
      case .storeFailed(batch, _): false
      default: nil
      }
    }
  }

  func stored(_ batch: Int) -> Bool {
    first { event in
      if case .stored(batch) = event { true } else { nil }
    } ?? false
  }

  func failure(of batch: Int) -> String? {
    first { event in
      if case .storeFailed(batch, let reason) = event { reason } else { nil }
    }
  }

  /// The latest word on whether a power cut is survived; waits for the first.
  func durability() -> String? {
    let first: String?? = first { event in
      if case .storeDurability(let problem) = event { .some(problem) } else { nil }
    }
    var latest = first ?? nil
    for case .storeDurability(let problem) in events { latest = problem }
    return latest
  }

  func history(_ id: String? = nil, client: Int = 1) -> (alerts: [String], deliveries: [String])? {
    store.readHistory(ClientID(number: client), alertID: id)
    return first { event in
      if case .historyRead(ClientID(number: client), let alerts, let deliveries) = event {
        (alerts, deliveries)
      } else {
        nil
      }
    }
  }
}

/// An alert and its messages as rows.
func rows(_ id: String, pending: Bool = true, ended: Bool = false, pressedAt: Int64 = 0, contacts: Int = 1)
  -> [StoreWrite]
{
  let padding = String(repeating: "x", count: 250)
  return [.alert(id: id, ended: ended, pressedAt: pressedAt, document: "alert \(id) \(padding)")]
    + (0..<contacts).map { contact in
      .delivery(
        alertID: id, contactID: "c\(contact)", sequence: 0, pending: pending,
        document: "delivery \(id) c\(contact) \(padding)")
    }
}

/// The id in a document that `rows` made.
func name(_ document: String) -> String {
  document.split(separator: " ").dropFirst().first.map(String.init) ?? document
}
