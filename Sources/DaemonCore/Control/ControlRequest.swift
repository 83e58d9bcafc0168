/// What goes over the control socket: one line of JSON asks, lines of JSON answer.
package enum ControlRequest {
  /// The longest line that is read of a client.
  package static let lineLimit = 4096

  package static func encode(_ command: Command) -> String {
    switch command {
    case .status: JSON.fields([("command", .string("status"))]).encoded
    case .press(let drill, let wait):
      JSON.fields([
        ("command", .string("press")), ("drill", .bool(drill)),
        ("wait", wait.map { .string($0.text) } ?? .null),
      ]).encoded
    case .cancel: JSON.fields([("command", .string("cancel"))]).encoded
    case .testButton(let span):
      JSON.fields([("command", .string("test-button")), ("for", .string(span.text))]).encoded
    case .alerts(let id):
      JSON.fields([("command", .string("alerts")), ("id", id.map { .string($0) } ?? .null)]).encoded
    }
  }

  /// How long presses may be shown instead of raising alerts.
  package static let testLimit = Duration.seconds(600)

  /// nil when the line is no request of this version. A field of the wrong kind makes it none: a drill whose
  /// `drill` is misspelt must not become an alert.
  package static func decode(_ line: [UInt8]) -> Command? {
    guard let request = JSON(parsing: line), case .object(let members) = request else { return nil }
    let fields = members.filter { $0.value != .null }
    func has(only keys: String...) -> Bool {
      fields.allSatisfy { $0.key == "command" || keys.contains($0.key) }
        && Set(fields.map(\.key)).count == fields.count
    }
    func text(_ key: String) -> String? { fields.first { $0.key == key }?.value.string }
    func isAbsent(_ key: String) -> Bool { !fields.contains { $0.key == key } }
    func duration(_ key: String) -> Duration? { text(key).flatMap { Duration(text: $0) } }
    switch text("command") {
    case "status" where has(): return .status
    case "press" where has(only: "drill", "wait"):
      let wait = duration("wait")
      guard isAbsent("drill") || request["drill"]?.bool != nil, isAbsent("wait") || wait != nil else {
        return nil
      }
      return .press(drill: request["drill"]?.bool ?? false, wait: wait)
    case "cancel" where has(): return .cancel
    case "test-button" where has(only: "for"):
      guard let span = isAbsent("for") ? .seconds(30) : duration("for"), span <= testLimit else { return nil }
      return .testButton(for: span)
    case "alerts" where has(only: "id"):
      let id = text("id")
      return isAbsent("id") || id != nil ? .alerts(id: id) : nil
    default: return nil
    }
  }
}

/// One line of an answer.
package struct ControlAnswer: Hashable, Sendable {
  /// For people.
  package var text: String?
  /// For scripts, where the question had that form.
  package var json: JSON?
  /// Why it was refused; the exit status is then 1.
  package var error: String?
  /// The exit status, on the last line where it is not 0.
  package var exit: Int?

  /// nil when the line is no answer.
  package init?(line: [UInt8]) {
    guard let answer = JSON(parsing: line), case .object = answer else { return nil }
    text = answer["text"]?.string
    json = answer["json"]
    error = answer["error"]?.string
    exit = answer["exit"]?.integer
  }
}
