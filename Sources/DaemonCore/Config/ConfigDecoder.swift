/// From the text of the configuration to a `Config`, or to every problem at once.
package enum ConfigDecoder {
  /// References that `secrets` lacks are only collected: decode, look them up, decode again.
  package static func decode(_ bytes: [UInt8], secrets: [SecretReference: SecretLookup] = [:]) -> ConfigResult
  {
    let report = ConfigReport(bytes: bytes, secrets: secrets)
    var config: Config?
    do throws(JSONError) {
      let root = try JSONParser.parse(bytes)
      report.duplicates(in: root, path: "")
      if let reader = ObjectReader(root, path: "", keys: ConfigKeys.top, report: report) {
        config = decode(reader)
      }
    } catch {
      report.error(at: error.offset, "", "\(error.reason)")
    }
    let problems = report.problems.enumerated().sorted {
      ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
    }.map(\.element)
    let isBroken = problems.contains { $0.severity == .error }
    return ConfigResult(config: isBroken ? nil : config, problems: problems, references: report.references)
  }

  private static func decode(_ top: ObjectReader) -> Config {
    var config = Config()
    if let reader = top.object("wearer") {
      config.wearer.name = reader.text("name")
      reader.choice("language").map { config.wearer.language = $0 }
    }
    if let reader = top.object("gps") {
      reader.text("host").map { config.gps.host = $0 }
      reader.integer("port").map { config.gps.port = $0 }
      reader.duration("stale_after").map { config.gps.staleAfter = $0 }
    }
    config.button = top.object("button").flatMap(button)
    if let reader = top.object("alert") { config.alert = alert(reader) }
    config.geocoder = top.object("geocoder").flatMap(geocoder)
    if let reader = top.object("delivery") {
      reader.duration("expire").map { config.delivery.expire = $0 }
      reader.duration("attempt_timeout").map { config.delivery.attemptTimeout = $0 }
      reader.duration("retry_after_max").map { config.delivery.retryAfterMax = $0 }
      reader.duration("keep_history").map { config.delivery.keepHistory = $0 }
    }
    let gateways = GatewaysDecoder.decode(top)
    config.gateways = gateways.settings
    config.contacts = ContactsDecoder(
      top: top, gateways: gateways, language: config.wearer.language
    ).decode()
    return config
  }

  private static func button(_ reader: ObjectReader) -> ButtonSettings? {
    let line = line(reader)
    // Without a line it is read all the same: every problem is reported at once.
    var button = ButtonSettings(line: line ?? .offset(0))
    button.chip = reader.text("chip")
    reader.bool("active_low").map { button.activeLow = $0 }
    reader.choice("bias").map { button.bias = $0 }
    reader.duration("debounce").map { button.debounce = $0 }
    reader.duration("hold").map { button.hold = $0 }
    reader.integer("presses").map { button.presses = $0 }
    reader.duration("within").map { button.within = $0 }
    if case .offset? = line, button.chip == nil {
      reader.error("line", "an offset needs \"chip\" beside it; or give the line's name")
    }
    if button.presses > 1, button.hold * (button.presses - 1) >= button.within {
      reader.error(
        reader.node("within") == nil ? "presses" : "within",
        "\(button.presses) presses held for \(button.hold.text) never fit into \(button.within.text): "
          + "give \"within\" more time, or \"hold\" less")
    }
    return line == nil ? nil : button
  }

  private static func line(_ reader: ObjectReader) -> LineReference? {
    guard let node = reader.node("line") else { return nil }
    switch node.content {
    case .string:
      return reader.text("line").map { .name($0) }
    case .number:
      if let offset = node.json.integer, (0...4095).contains(offset) { return .offset(offset) }
    case .null, .bool, .array, .object: break
    }
    reader.error("line", "must be the line's name in quotes, or its offset, a whole number from 0 to 4095")
    return nil
  }

  private static func geocoder(_ reader: ObjectReader) -> GeocoderSettings? {
    var settings = GeocoderSettings()
    let type = reader.choice("type", as: GeocoderType.self)
    settings.service = type?.service
    settings.contact = reader.text("contact")
    reader.duration("deadline").map { settings.deadline = $0 }
    reader.text("places").map { settings.places = $0 }
    if !settings.places.hasPrefix("/") { reader.error("places", "must be an absolute path") }
    let url = reader.url("url", secret: true)
    if let service = settings.service {
      settings.url = url ?? service.publicURL
      if reader.node("url") == nil, settings.contact == nil {
        reader.error(
          "contact",
          "is missing: the public server's rules ask for an e-mail address or URL by which its operators reach you"
        )
      }
    }
    if let contact = settings.contact, !contact.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      reader.error("contact", "goes into a header: ASCII characters only")
    }
    return type.map { $0 == GeocoderType.none } ?? true ? nil : settings
  }

  private static func alert(_ reader: ObjectReader) -> AlertSettings {
    var alert = AlertSettings()
    if let text = reader.text("text", multiline: true) {
      switch Template.parse(text) {
      case .success(let template): alert.text = template
      case .failure(let problem): reader.error("text", problem.text)
      }
    }
    reader.choice("map").map { alert.map = $0 }
    reader.duration("cancel_window").map { alert.cancelWindow = $0 }
    reader.duration("open_for").map { alert.openFor = $0 }
    if let updates = reader.object("updates") {
      var settings = UpdateSettings()
      updates.duration("every").map { settings.every = $0 }
      updates.duration("for").map { settings.during = $0 }
      alert.updates = settings
    }
    return alert
  }
}
