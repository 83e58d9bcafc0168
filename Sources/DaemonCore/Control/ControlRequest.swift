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
    guard let request = try? JSONParser.parse(line), case .object(let members) = request.content else {
      return nil
    }
    var (command, id): (String?, String?)
    var drill: Bool?
    var (wait, span): (Duration?, Duration?)
    for member in members {
      switch (member.key, member.value.content) {
      // As if it were left out, which no other of its name may then take back.
      case (let key, .null): guard members.filter({ $0.key == key }).count == 1 else { return nil }
      case ("command", .string(let text)) where command == nil: command = text
      case ("drill", .bool(let value)) where drill == nil: drill = value
      case ("id", .string(let text)) where id == nil: id = text
      case ("wait", .string(let text)) where wait == nil:
        guard let given = Duration(text: text) else { return nil }
        wait = given
      case ("for", .string(let text)) where span == nil:
        guard let given = Duration(text: text), given <= testLimit else { return nil }
        span = given
      default: return nil
      }
    }
    switch (command, drill, wait, span, id) {
    case ("status", nil, nil, nil, nil): return .status
    case ("press", _, _, nil, nil): return .press(drill: drill ?? false, wait: wait)
    case ("cancel", nil, nil, nil, nil): return .cancel
    case ("test-button", nil, nil, _, nil): return .testButton(for: span ?? .seconds(30))
    case ("alerts", nil, nil, nil, _): return .alerts(id: id)
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

  /// The line that says only this, to people.
  static func line(text: String) -> String {
    var json = JSONWriter()
    json.object { json in json.member("text", text) }
    return json.text
  }
}
