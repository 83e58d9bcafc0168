/// One key that an object of the configuration may have: the single source for decoder and schema.
package struct ConfigKey: Sendable {
  package enum Kind: Sendable {
    case text
    /// Text, or a reference to a credential or a file.
    case secret
    case duration(ClosedRange<Duration>)
    case integer(ClosedRange<Int>)
    case bool
    case choice([String])
    case object([ConfigKey])
    /// An object whose keys the owner chooses.
    case named
    case list
    /// Any of several forms, described in the documentation.
    case various
    /// Part of the interface, but not of this version.
    case unsupported
  }
  package var name: String
  package var kind: Kind
  package var isRequired: Bool
  /// One line of meaning.
  package var meaning: String

  package init(_ name: String, _ kind: Kind, required: Bool = false, _ meaning: String) {
    self.name = name
    self.kind = kind
    isRequired = required
    self.meaning = meaning
  }

  package var isSupported: Bool {
    if case .unsupported = kind { false } else { true }
  }
}

/// The keys of the parts that are no gateway's own.
package enum ConfigKeys {
  package static let top: [ConfigKey] = [
    ConfigKey("wearer", .object(wearer), "who wears the device"),
    ConfigKey("gps", .object(gps), "where gpsd is"),
    ConfigKey("button", .object(button), "the GPIO line of the button and the gesture"),
    ConfigKey("indicators", .unsupported, "lamps"),
    ConfigKey("alert", .object(alert), "what is sent and for how long"),
    ConfigKey("geocoder", .object(geocoder), "addresses for positions"),
    ConfigKey("gateways", .named, required: true, "the services that carry messages, by a name of your own"),
    ConfigKey("contacts", .list, required: true, "who is told, and by which gateways"),
    ConfigKey("delivery", .object(delivery), "how long and how often is tried"),
    ConfigKey("heartbeat", .unsupported, "a sign of life to a monitor"),
  ]
  static let wearer: [ConfigKey] = [
    ConfigKey("name", .text, "the name that messages call the wearer by"),
    ConfigKey("language", .choice(Language.allCases.map(\.rawValue)), "of messages to contacts without one"),
  ]
  static let gps: [ConfigKey] = [
    ConfigKey("host", .text, "host name or address of gpsd"),
    ConfigKey("port", .integer(1...65_535), "port of gpsd"),
    ConfigKey("stale_after", .duration(.zero...week), "age from which a position is called last known"),
  ]
  static let button: [ConfigKey] = [
    ConfigKey("chip", .text, "label, name or path of the GPIO chip"),
    ConfigKey("line", .various, required: true, "name or offset of the line"),
    ConfigKey("active_low", .bool, "whether pressed means a low level"),
    ConfigKey("bias", .choice(Bias.allCases.map(\.rawValue)), "the line's internal resistor"),
    ConfigKey("debounce", .duration(.milliseconds(1)...second), "how long a level must last to count"),
    ConfigKey("hold", .duration(.zero...minute), "how long a press must last to count"),
    ConfigKey("presses", .integer(1...10), "how many presses make an alert"),
    ConfigKey("within", .duration(.milliseconds(100)...minute), "in how much time they must fall"),
  ]
  static let alert: [ConfigKey] = [
    ConfigKey("text", .text, "your own message, with placeholders"),
    ConfigKey("map", .choice(MapStyle.allCases.map(\.rawValue)), "the kind of map link"),
    ConfigKey(
      "cancel_window", .duration(.zero...(.seconds(300))), "how long 'soteriad cancel' can stop it unseen"),
    ConfigKey("open_for", .duration(second...week), "how long presses belong to one alert"),
    ConfigKey("updates", .object(updates), "periodic positions while the alert is open"),
  ]
  static let geocoder: [ConfigKey] = [
    ConfigKey(
      "type", .choice(GeocoderType.allCases.map(\.rawValue)), required: true, "where addresses come from"),
    ConfigKey("url", .secret, "a server of your own, or one that wants a key"),
    ConfigKey("contact", .text, "how the server's operators can reach you: an e-mail address or a URL"),
    ConfigKey("deadline", .duration(.zero...(.seconds(30))), "how long a message may wait for an address"),
    ConfigKey("places", .text, "the list of places on the device"),
  ]
  static let updates: [ConfigKey] = [
    ConfigKey("every", .duration(second...day), "time between positions"),
    ConfigKey("for", .duration(second...week), "how long after the press they go on"),
  ]
  static let contact: [ConfigKey] = [
    ConfigKey("name", .text, required: true, "what messages and the status call the contact"),
    ConfigKey("id", .text, "a short name for keys and logs: a-z, 0-9 and hyphens"),
    ConfigKey("language", .choice(Language.allCases.map(\.rawValue)), "of messages to this contact"),
    ConfigKey("routes", .list, required: true, "ways to reach the contact, best first"),
  ]
  static let route: [ConfigKey] = [
    ConfigKey("gateway", .text, required: true, "the name of a gateway"),
    ConfigKey("to", .various, "the contact's address at that gateway"),
    ConfigKey("api_key", .secret, "CallMeBot's key where it belongs to the contact"),
  ]
  static let delivery: [ConfigKey] = [
    ConfigKey(
      "expire", .duration(second...day * 365),
      "how long a delivery is tried, power-off not counted"),
    ConfigKey(
      "attempt_timeout", .duration(.milliseconds(100)...minute * 2), "the longest a single try may take"),
    ConfigKey(
      "retry_after_max", .duration(.zero...day), "the longest wait a server may ask for"),
    ConfigKey(
      "keep_history", .duration(second...day * 3650),
      "how long ended alerts are kept"),
  ]
  static let commonGateway: [ConfigKey] = [
    ConfigKey("type", .choice(GatewayKind.allCases.map(\.rawValue)), required: true, "which service it is"),
    ConfigKey("timeout", .duration(.milliseconds(100)...minute * 2), "instead of delivery.attempt_timeout"),
    ConfigKey("ca_file", .text, "certificate authorities of a server of your own, PEM"),
  ]
  private static let second = Duration.seconds(1)
  private static let minute = Duration.seconds(60)
  private static let day = minute * 60 * 24
  private static let week = day * 7
}
