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

  /// nil when the line is no request of this version.
  package static func decode(_ line: [UInt8]) -> Command? {
    guard let request = JSON(parsing: line) else { return nil }
    func duration(_ key: String) -> Duration? { request[key]?.string.flatMap { Duration(text: $0) } }
    switch request["command"]?.string {
    case "status": return .status
    case "press": return .press(drill: request["drill"]?.bool ?? false, wait: duration("wait"))
    case "cancel": return .cancel
    case "test-button": return .testButton(for: min(duration("for") ?? .seconds(30), .seconds(600)))
    case "alerts": return .alerts(id: request["id"]?.string)
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
