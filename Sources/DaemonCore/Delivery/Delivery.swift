/// One message on its way to one contact.
package struct Delivery: Equatable, Sendable {
  package struct Key: Hashable, Sendable {
    package var alertID: String
    package var contactID: String
    package var sequence: Int

    package init(alertID: String, contactID: String, sequence: Int) {
      self.alertID = alertID
      self.contactID = contactID
      self.sequence = sequence
    }
  }

  /// Where it is in its life within this run.
  package enum Phase: Hashable, Sendable {
    /// In the alert's cancel window. Window over → storing; cancel → ended.
    case held
    /// Not known to be on disk yet. Stored, failed to store, or half a second over → trying.
    case storing
    /// A round through the routes is under way. Accepted → ended; every route failed → waiting.
    case trying
    /// Every route failed. Time over, network back, reload → trying.
    case waiting(until: BootTime)
    /// Nothing more is sent.
    case ended
  }

  package let key: Key
  package let kind: MessageKind
  package let reason: UpdateReason?
  /// They gain the address while nobody has seen the message, and change no more.
  package private(set) var facts: Facts
  /// As configured when the message was made; routes follow the configuration as DESIGN says under "reload".
  package let contact: Contact
  /// Such that `now - created` is the time spent on it, power-off not counted.
  package let created: BootTime
  package internal(set) var state: DeliveryState
  package internal(set) var phase: Phase
  package internal(set) var attempts = 0
  package internal(set) var lastError: String?
  /// The gateway that took it, or the latest tried; nil before the first try.
  package internal(set) var route: String?
  /// The service's name for it, by the latest route that gave one; nil where nobody can be asked about it.
  var receipt: Receipt?
  var routes: [RouteProgress]
  /// Rounds that failed, for the back-off.
  var round = 0
  /// Whether a whole round has failed and nothing has taken it since.
  var isUnreached = false
  /// Whether it was read back at start: a try before that can have been cut off.
  var isResumed = false

  package init(
    key: Key, kind: MessageKind, reason: UpdateReason? = nil, facts: Facts, contact: Contact,
    created: BootTime, phase: Phase, state: DeliveryState = .pending
  ) {
    self.key = key
    self.kind = kind
    self.reason = reason
    self.facts = facts
    self.contact = contact
    self.created = created
    self.phase = phase
    self.state = state
    routes = contact.routes.map { RouteProgress(route: $0) }
  }

  package var isEnded: Bool { phase == .ended }

  /// Returns whether it was early enough.
  mutating func addAddress(_ address: Whereabouts) -> Bool {
    guard phase == .storing || phase == .held else { return false }
    facts = facts.with(address)
    return true
  }

  /// Whether the contact may have it: it was tried, and the answer to a try can have been lost.
  package var mayHaveArrived: Bool { attempts > 0 || isResumed }
}

/// By what a service knows a message that it took.
struct Receipt: Hashable, Sendable {
  var route: Route
  var name: String
}

/// What is known of a delivery. Source: CONTRACT `alerts --json`.
package enum DeliveryState: String, Hashable, Sendable {
  case held, pending, accepted, delivered, acknowledged, refused, expired, cancelled

  /// Whether a gateway is known to have taken it.
  package var isTaken: Bool {
    switch self {
    case .accepted, .delivered, .acknowledged: true
    case .held, .pending, .refused, .expired, .cancelled: false
    }
  }
}

/// One route of a delivery and how far it got.
struct RouteProgress: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// Not tried in this round. Started → inFlight.
    case ready
    /// Under way. Answered → failed, refused or weak, or the delivery ends.
    case inFlight(since: BootTime)
    /// Failed in this round. Next round → ready.
    case failed
    /// The gateway's own permanent no. Tried again, last, when that is over or at a reload.
    case refused(until: BootTime)
    /// Taken, which proves little here: never tried again, and the next route goes too.
    case weak
  }

  var route: Route
  var state = State.ready
  /// The server asked not to be asked before; nil when it did not.
  var notBefore: BootTime?
  /// Why the latest try failed; nil when none did. The same again is no news.
  var trouble: String?

  init(route: Route) {
    self.route = route
  }
}
