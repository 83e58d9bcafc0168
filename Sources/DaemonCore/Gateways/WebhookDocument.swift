/// The facts of a message as a webhook gets them. Source: CONTRACT, webhook; keys are added, never changed.
struct WebhookDocument {
  private let message: Message

  init(_ message: Message) {
    self.message = message
  }

  var json: JSON {
    .fields([
      ("version", .integer(1)), ("alert", .string(message.alertID)), ("kind", .string(message.kind.rawValue)),
      ("reason", optional(message.reason?.rawValue)), ("sequence", .integer(message.sequence)),
      ("contact", .string(message.contactName)), ("to", optional(message.to)),
      ("wearer", .string(message.wearer)), ("text", .string(message.text)),
      ("pressed_at", .string(message.pressedAt.utcText)), ("sent_at", .string(message.sentAt.utcText)),
      ("clock_trusted", .bool(clockTrusted)), ("position", position), ("map_url", optional(message.mapURL)),
      ("address", optional(message.address)),
      ("battery_percent", message.battery.map { .integer($0) } ?? .null),
    ])
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

  private var position: JSON {
    guard case .known(let fix, let age, let lastKnown) = message.position else { return .null }
    func tenths(_ number: Double?) -> JSON { number.map { .tenths($0) } ?? .null }
    var fields: [(String, JSON)] = [
      ("lat", .degrees(fix.latitude)), ("lon", .degrees(fix.longitude)), ("accuracy_m", tenths(fix.accuracy)),
      ("altitude_m", tenths(fix.altitude)), ("speed_mps", tenths(fix.speed)),
      ("course_deg", tenths(fix.course)),
      ("mode", .string(fix.mode.rawValue)), ("age_s", tenths(age?.inSeconds)),
      ("last_known", .bool(lastKnown)),
    ]
    switch fix.origin {
    case .measured: break
    case .deadReckoning: fields.append(("origin", .string("dead-reckoning")))
    case .simulated: fields.append(("origin", .string("simulated")))
    }
    return .fields(fields)
  }

  private func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}
