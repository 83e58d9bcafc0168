/// A configuration without errors, all defaults filled in and all secrets resolved.
package struct Config: Sendable {
  package var wearer = Wearer()
  package var gps = GpsSettings()
  /// nil: only `soteriad press` raises an alert.
  package var button: ButtonSettings?
  package var alert = AlertSettings()
  /// nil: messages carry no address.
  package var geocoder: GeocoderSettings?
  /// In the order of the file.
  package var gateways: [GatewaySettings] = []
  package var contacts: [Contact] = []
  package var delivery = DeliverySettings()

  package init() {}
}

package struct Wearer: Hashable, Sendable {
  /// nil when the owner gave no name: the text then says "the wearer" in the contact's language.
  package var name: String?
  package var language = Language.english

  package init() {}
}

package struct GpsSettings: Hashable, Sendable {
  package var host = "localhost"
  package var port = 2947
  /// How old, by arrival, a fix may be and still be called the present position.
  package var staleAfter = Duration.seconds(30)

  package init() {}
}

package struct ButtonSettings: Hashable, Sendable {
  /// Label, name or path; nil when `line` is a name that exists once.
  package var chip: String?
  package var line: LineReference
  package var activeLow = true
  package var bias = Bias.pullUp
  package var debounce = Duration.milliseconds(30)
  /// How long a press must last to count.
  package var hold = Duration.zero
  /// How many presses make an alert, 1...10.
  package var presses = 1
  /// In how much time `presses` must fall.
  package var within = Duration.seconds(2)

  package init(line: LineReference) {
    self.line = line
  }
}

package enum LineReference: Hashable, Sendable {
  case name(String)
  case offset(Int)
}

package enum Bias: String, Hashable, Sendable, CaseIterable {
  case pullUp = "pull-up"
  case pullDown = "pull-down"
  case disabled
  case asIs = "as-is"
}

package struct AlertSettings: Sendable {
  /// nil: the daemon writes the message in the contact's language.
  package var text: Template?
  package var map = MapStyle.google
  package var cancelWindow = Duration.zero
  package var openFor = Duration.seconds(1800)
  /// nil: no periodic positions.
  package var updates: UpdateSettings?

  package init() {}
}

package struct UpdateSettings: Hashable, Sendable {
  package var every = Duration.seconds(60)
  /// Named `for` in the file: how long after the press they go on.
  package var during = Duration.seconds(1800)

  package init() {}
}

package enum MapStyle: String, Hashable, Sendable, CaseIterable {
  case google, osm, apple, geo
}

package struct GatewaySettings: Sendable {
  package var name: String
  /// The `type` in the file.
  package var type: String
  package var gateway: any Gateway
  /// nil: `delivery.attempt_timeout`.
  package var timeout: Duration?
  /// A file of further certificate authorities; nil: the system's alone.
  package var caFile: String?

  package init(
    name: String, type: String, gateway: any Gateway, timeout: Duration? = nil, caFile: String? = nil
  ) {
    self.name = name
    self.type = type
    self.gateway = gateway
    self.timeout = timeout
    self.caFile = caFile
  }
}

extension [GatewaySettings] {
  package func named(_ name: String) -> GatewaySettings? { first { $0.name == name } }
}

package struct Contact: Hashable, Sendable {
  package var name: String
  package var id: String
  package var language: Language
  /// In order of preference, at least one.
  package var routes: [Route]

  package init(name: String, id: String, language: Language = .english, routes: [Route]) {
    self.name = name
    self.id = id
    self.language = language
    self.routes = routes
  }
}

extension [Contact] {
  /// The key that the configuration has for that address; nil where the gateway's serves.
  func apiKey(for route: Route) -> String? {
    for contact in self {
      for known in contact.routes where known.isSame(as: route) { return known.apiKey }
    }
    return nil
  }
}

package struct DeliverySettings: Hashable, Sendable {
  /// Spent time after which a delivery is given up.
  package var expire = Duration.seconds(7 * 86_400)
  package var attemptTimeout = Duration.seconds(15)
  /// The longest wait that a server may ask for.
  package var retryAfterMax = Duration.seconds(3600)
  package var keepHistory = Duration.seconds(90 * 86_400)

  package init() {}
}
