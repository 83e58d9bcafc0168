/// What was known when an alert or update was made. Stored with it and never changed afterwards,
/// except for an address that comes before the message has left.
///
/// A class, for they are large, and alert, messages and tries share them.
package final class Facts: Sendable {
  package let position: PositionFact
  /// Charge in percent, 0...100; nil when the device has no battery that tells.
  package let battery: Int?
  /// The place in words; nil when not known.
  package let address: Whereabouts?

  package init(position: PositionFact, battery: Int? = nil, address: Whereabouts? = nil) {
    self.position = position
    self.battery = battery
    self.address = address
  }

  package func with(_ address: Whereabouts?) -> Facts {
    Facts(position: position, battery: battery, address: address)
  }
}

extension Facts: Equatable {
  package static func == (left: Facts, right: Facts) -> Bool {
    left.position == right.position && left.battery == right.battery && left.address == right.address
  }
}

/// Where the wearer was, as honestly as it can be said.
package enum PositionFact: Hashable, Sendable {
  /// A fix. `age` is how old it was at that moment by arrival, nil where no clock can tell (a fix from before
  /// a power cut); `lastKnown` when it was older than `gps.stale_after` or of unknown age.
  case known(Fix, age: Duration?, lastKnown: Bool)
  /// No usable fix ever, and the receiver reported a place that cannot be (0,0 or out of range).
  case implausible
  /// No usable fix ever.
  case unknown

  package var fix: Fix? {
    if case .known(let fix, _, _) = self { return fix }
    return nil
  }
}
