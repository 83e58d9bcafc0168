/// The facts of a message as a webhook gets them. Source: CONTRACT, webhook; keys are added, never changed.
struct WebhookDocument: JSONWritable {
  private let message: Message

  init(_ message: Message) {
    self.message = message
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("version", 1)
      json.member("alert", message.alertID)
      json.member("kind", message.kind)
      json.member("reason", message.reason)
      json.member("sequence", message.sequence)
      json.member("contact", message.contactName)
      json.member("to", message.to)
      json.member("wearer", message.wearer)
      json.member("text", message.text)
      json.member("pressed_at", message.pressedAt.utcText)
      json.member("sent_at", message.sentAt.utcText)
      json.member("clock_trusted", clockTrusted)
      json.key("position")
      writePosition(to: &json)
      json.member("map_url", message.mapURL)
      json.member("address", message.address)
      json.member("battery_percent", message.battery)
    }
  }

  /// The same facts without nesting; what is not known is empty.
  var form: [(name: String, value: String)] {
    var fix: Fix?
    var (age, lastKnown): (Duration?, Bool?) = (nil, nil)
    if case .known(let known, let knownAge, let old) = message.position {
      (fix, age, lastKnown) = (known, knownAge, old)
    }
    func tenths(_ number: Double?) -> String { number.map { JSON.fixed($0, decimals: 1) } ?? "" }
    return [
      ("text", message.text), ("alert", message.alertID), ("kind", message.kind.rawValue),
      ("reason", message.reason?.rawValue ?? ""), ("sequence", "\(message.sequence)"),
      ("contact", message.contactName), ("to", message.to ?? ""), ("wearer", message.wearer),
      ("pressed_at", message.pressedAt.utcText), ("sent_at", message.sentAt.utcText),
      ("clock_trusted", "\(clockTrusted)"), ("lat", fix?.latitudeText ?? ""),
      ("lon", fix?.longitudeText ?? ""), ("accuracy_m", tenths(fix?.accuracy)),
      ("age_s", tenths(age?.inSeconds)), ("last_known", lastKnown.map { "\($0)" } ?? ""),
      ("map_url", message.mapURL ?? ""), ("address", message.address ?? ""),
      ("battery_percent", message.battery.map { "\($0)" } ?? ""),
    ]
  }

  private var clockTrusted: Bool { message.pressedAt.trusted && message.sentAt.trusted }

  private func writePosition(to json: inout JSONWriter) {
    guard case .known(let fix, let age, let lastKnown) = message.position else { return json.null() }
    json.object { json in
      json.member("lat", fix.latitude, decimals: 6)
      json.member("lon", fix.longitude, decimals: 6)
      json.member("accuracy_m", fix.accuracy, decimals: 1)
      json.member("altitude_m", fix.altitude, decimals: 1)
      json.member("speed_mps", fix.speed, decimals: 1)
      json.member("course_deg", fix.course, decimals: 1)
      json.member("mode", fix.mode)
      json.member("age_s", age?.inSeconds, decimals: 1)
      json.member("last_known", lastKnown)
      switch fix.origin {
      case .measured: break
      case .deadReckoning: json.member("origin", "dead-reckoning")
      case .simulated: json.member("origin", "simulated")
      }
    }
  }
}
