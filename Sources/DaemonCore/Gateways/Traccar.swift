/// A Traccar server: the wearer on a live map that outlives the device. Source: traccar.org/osmand,
/// OsmAndProtocolDecoder.java.
///
/// It takes positions, not text, and wakes nobody by itself: acceptance is always weak, and the contact's next
/// route goes too. The time of the position makes a repeated one harmless.
package struct Traccar: Gateway {
  package var baseURL: String

  package init(baseURL: String) {
    self.baseURL = baseURL
  }

  package var canProve: Bool { false }

  /// Without a position the server takes the last it had and calls it outdated: the alarm is worth that.
  package func steps(for message: Message) -> [Step] {
    var fields: [(name: String, value: String)] = [("id", message.to ?? "")]
    if message.hasPin, case .known(let fix, _, let lastKnown) = message.position {
      fields += [("lat", fix.latitudeText), ("lon", fix.longitudeText)]
      if lastKnown { fields.append(("valid", "false")) }
      if let moment = message.positionAt { fields.append(("timestamp", "\(moment.milliseconds / 1000)")) }
      let knots = fix.speed.map { $0 * 3600 / 1852 }
      for (name, number) in [
        ("accuracy", fix.accuracy), ("altitude", fix.altitude), ("speed", knots), ("bearing", fix.course),
      ] {
        if let number, number.isFinite { fields.append((name, JSON.fixed(number, decimals: 1))) }
      }
    }
    if let battery = message.battery { fields.append(("batt", "\(battery)")) }
    switch message.kind {
    case .alert: fields.append(("alarm", "sos"))
    case .update where message.reason == .pressedAgain: fields.append(("alarm", "sos"))
    case .drill: fields.append(("drill", "true"))
    case .update, .allClear: break
    }
    return [
      Step(name: "position", request: Request(method: "POST", url: "\(baseURL)/?\(formEncoded(fields))"))
    ]
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    // The body is empty, or holds a command for the device.
    if response.status == 200, !response.isWebPage { return .accepted(Acceptance(strong: false)) }
    if response.status == 400, response.body.isEmpty {
      return .refused(reason: "Traccar does not know this device")
    }
    return response.unexplained
  }
}

extension Traccar: ConfigurableGateway {
  static var addressing: Addressing {
    .name(
      "the identifier of the wearer's device in Traccar", form: "the device's identifier, without spaces",
      length: 1...128
    ) { $0.value > 0x20 && $0.value != 0x7F }
  }

  static var keys: [ConfigKey] {
    [ConfigKey("url", .text, required: true, "the server and its OsmAnd port, like http://traccar.lan:5055")]
  }

  static func decode(_ reader: ObjectReader) -> Traccar? {
    reader.url("url").map { Traccar(baseURL: $0.withoutTrailingSlash) }
  }
}
