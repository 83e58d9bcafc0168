/// Everything the daemon can say about itself at one moment. Rendered as text and as JSON.
package struct Status: Sendable {
  package enum State: String, Hashable, Sendable {
    case armed, alerting, testing, degraded
  }

  package struct Button: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
      case ready, pressed, stuck, noisy, unavailable, none
    }
    var state: State
    /// Chip and line as found; nil while not available.
    var line: String?
    /// Whether a press was ever seen on the button as it is configured now.
    var isSeen: Bool
  }

  package struct Gps: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
      case fix, stale
      case noFix = "no-fix"
      case disconnected
    }
    var state: State
    var position: PositionFact
    var reports: Int
    var rubbish: Int
  }

  package struct Geocoder: Hashable, Sendable {
    /// nil: the list on the device alone.
    var service: GeocoderService?
    /// Why the last question was not answered; nil when it was, or none was asked.
    var trouble: String?
    /// Why the list cannot be read; nil when it can.
    var placesTrouble: String?
  }

  package struct Outbox: Hashable, Sendable {
    var pending: Int
    var isDurable: Bool
  }

  /// An alert that is not over, and how far its messages got.
  package struct OpenAlert: Equatable, Sendable {
    var id: String
    var kind: MessageKind
    var state: AlertState
    var age: Duration
    var deliveries: [Delivery]
  }

  var headline: Headline
  var wearer: String?
  var button: Button
  var gps: Gps
  /// nil where no addresses are wanted.
  var geocoder: Geocoder?
  var outbox: Outbox
  var alerts: [OpenAlert]
  var contacts: [String]
  var source: Configuration.Source
  var warnings: [String]
  var clock: WallTime
  var version: String

  package var state: State { headline.state }
  package var problems: [Problem] { headline.problems }
  package var isAlerting: Bool { headline.isAlerting }
  package var isTesting: Bool { headline.isTesting }
}
