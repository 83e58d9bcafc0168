/// What a gateway's answer to one request means. Expected outcomes are values.
package enum Outcome: Hashable, Sendable {
  /// The gateway took it.
  case accepted(Acceptance)
  /// Not now: the same request may work later. `after` is what the server asked for, nil when it did not.
  case retry(reason: String, after: Duration?)
  /// This gateway's own documented permanent error.
  case refused(reason: String)

  /// Why it was not taken; nil when it was.
  package var reason: String? {
    switch self {
    case .accepted: nil
    case .retry(let reason, _), .refused(let reason): reason
    }
  }
}

/// What an acceptance proves.
package struct Acceptance: Hashable, Sendable {
  /// False where acceptance is known to prove little (see DESIGN, weak routes): the next route goes too.
  package var strong: Bool
  /// The service's id of the message, by which its later fate can be asked; nil where it cannot.
  package var receipt: String?

  package init(strong: Bool = true, receipt: String? = nil) {
    self.strong = strong
    self.receipt = receipt
  }
}

/// What asking for a message's later fate told.
package enum Fate: Hashable, Sendable {
  case unknown
  case delivered
  case acknowledged
  /// The service took it and could not deliver it after all.
  case failed(Outcome)
}
