/// The connection to gpsd: opened for ever, never waited for.
package struct GpsLink: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// Before the first configuration.
    case idle
    /// Opening with the current generation. Opened → connected; lost → waiting.
    case opening(attempt: Int)
    /// Reports may come. Lost, or silent for too long after having spoken → opening or waiting.
    case connected(since: BootTime, lastReport: BootTime?)
    /// To be opened again at `retry`.
    case waiting(attempt: Int, retry: BootTime, reason: String)
  }

  /// A session that has spoken and then says nothing for this long is opened anew: the peer may be gone
  /// without a word. One without a receiver is silent by right and left alone.
  package static let silence = Duration.seconds(120)

  /// A session that ends sooner without a report was none: the back-off goes on.
  package static let lasting = Duration.seconds(10)

  package private(set) var state = State.idle
  /// Counts the openings: what an older one still says is dropped.
  package private(set) var generation = 0
  /// The reason that was last told, so that the same one is not told again.
  private var toldReason: String?
  /// How many tries the present session took.
  private var tries = 0

  package init() {}

  package var isConnected: Bool {
    if case .connected = state { return true }
    return false
  }

  /// Why there is no connection; nil while there is one, and until the first try has failed. A further try that is
  /// under way has mended nothing yet.
  package var trouble: String? {
    switch state {
    case .idle, .opening(attempt: 0), .connected: nil
    case .opening: toldReason
    case .waiting(_, _, let reason): reason
    }
  }

  package var nextDeadline: BootTime? {
    switch state {
    case .idle, .opening: nil
    case .connected(_, let lastReport): lastReport.map { $0 + Self.silence }
    case .waiting(_, let retry, _): retry
    }
  }

  /// Opens (again), for a configuration or a retry; the answer must bear the returned generation.
  package mutating func opening() -> Int {
    generation += 1
    if case .waiting(let attempt, _, _) = state {
      state = .opening(attempt: attempt)
    } else {
      state = .opening(attempt: 0)
    }
    return generation
  }

  /// Returns how many tries it took, or nil if this belongs to an older opening.
  package mutating func opened(generation answered: Int, at now: BootTime) -> Int? {
    guard answered == generation, case .opening(let attempt) = state else { return nil }
    state = .connected(since: now, lastReport: nil)
    tries = attempt + 1
    return tries
  }

  package mutating func reported(at now: BootTime) {
    guard case .connected(let since, _) = state else { return }
    state = .connected(since: since, lastReport: now)
  }

  /// Returns whether this loss is news to tell at warning, or nil if it belongs to an older opening.
  package mutating func lost(generation answered: Int, reason: String, at now: BootTime) -> Bool? {
    guard answered == generation else { return nil }
    let attempt: Int
    switch state {
    case .opening(let earlier): attempt = earlier + 1
    case .connected(let since, nil) where now - since < Self.lasting: attempt = max(1, tries)
    case .connected:
      attempt = 1
      toldReason = nil
    case .idle, .waiting: return nil
    }
    // 1, 2, 4, 8, 10 s: a gpsd that is restarted is found again before anyone misses it.
    let wait = Duration.seconds(min(10, 1 << min(attempt - 1, 4)))
    state = .waiting(attempt: attempt, retry: now + wait, reason: reason)
    defer { toldReason = reason }
    return toldReason != reason
  }

  /// Whether the link is to be opened now: a retry is due, or the session has been silent for too long.
  package func isDue(at now: BootTime) -> Bool {
    nextDeadline.map { now >= $0 } ?? false
  }

  package mutating func closed() {
    state = .idle
    generation += 1
  }
}
