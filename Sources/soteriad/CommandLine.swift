import DaemonCore

/// What the user asked for on the command line. Source: CONTRACT, command line.
struct Invocation {
  enum Verb {
    case run
    case check(online: Bool)
    case ask(Command, json: Bool)
    case schema
    case version
    case help
  }

  var verb: Verb
  static let defaultConfig = "/etc/soteria.json"
  var config = Invocation.defaultConfig
  var directories = Directories(
    state: Invocation.first(environment("STATE_DIRECTORY")) ?? "/var/lib/soteria",
    runtime: Invocation.first(environment("RUNTIME_DIRECTORY")) ?? "/run/soteria")

  struct UsageError: Error {
    var text: String
  }

  static let help = """
    Usage: soteriad [run] [--config FILE] [--state-directory DIR] [--runtime-directory DIR]
           soteriad check [--config FILE] [--online]
           soteriad status [--json]
           soteriad press [--drill] [--wait DURATION]
           soteriad cancel
           soteriad test-button [--for DURATION]
           soteriad alerts [--json] [ID]
           soteriad schema
           soteriad --version | --help

    run          the daemon, in the foreground (the default)
    check        report every problem of the configuration, a line each
    status       what the running daemon knows
    press        what a press of the button does; prints the alert's id
    cancel       end the open alert: all-clear to everyone who was alerted
    test-button  show presses as they happen, without an alert
    alerts       past and present alerts and what became of each message
    schema       JSON Schema of the configuration

    status, press, cancel, test-button and alerts take --state-directory and --runtime-directory too.
    A DURATION is a whole number and a unit: 250ms, 30s, 10m, 2h, 7d.
    Exit status: 0 done, 1 failed, 2 wrong usage, 78 the configuration has errors.
    See soteriad(8) and soteria.json(5).
    """

  private static let flags = ["--online", "--json", "--drill"]
  private static let places = ["--state-directory", "--runtime-directory"]
  /// Options that have a value, whatever the command.
  private static let valued = ["--config", "--wait", "--for"] + places

  /// `arguments` without the program's own name. Options may stand before the command too.
  init(_ arguments: [String]) throws(UsageError) {
    var words = arguments[...]
    var given: [String] = []
    var values: [String: String] = [:]
    var operands: [String] = []
    while let word = words.popFirst() {
      if word == "--" {
        operands += words
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = word == "-h" ? "--help" : parts[0]
      given.append(option)
      if Self.valued.contains(option) {
        guard let value = parts.count == 2 ? parts[1] : words.popFirst(), !value.isEmpty else {
          throw UsageError(text: "\(option) needs a value")
        }
        values[option] = value
      } else if !(Self.flags + ["--help", "--version"]).contains(option) || parts.count == 2 {
        throw UsageError(text: "unknown option \(word)")
      }
    }
    if given.contains("--help") {
      verb = .help
    } else if given.contains("--version") {
      verb = .version
    } else {
      let name = operands.isEmpty ? "run" : operands.removeFirst()
      let known = try Self.options(of: name)
      if let other = given.first(where: { !known.contains($0) }) {
        throw UsageError(text: "\(name): there is no option \(other)")
      }
      verb = try Self.verb(name, Set(given), values, operands)
    }
    if let value = values["--config"] { config = value }
    if let value = values["--state-directory"] { directories.state = value }
    if let value = values["--runtime-directory"] { directories.runtime = value }
  }

  private static func options(of name: String) throws(UsageError) -> [String] {
    switch name {
    case "run": return ["--config"] + places
    case "check": return ["--online", "--config"]
    case "status": return ["--json"] + places
    case "press": return ["--drill", "--wait"] + places
    case "cancel": return places
    case "test-button": return ["--for"] + places
    case "alerts": return ["--json"] + places
    case "schema": return []
    default: throw UsageError(text: "unknown command \(name)")
    }
  }

  private static func verb(
    _ name: String, _ flags: Set<String>, _ values: [String: String], _ operands: [String]
  ) throws(UsageError) -> Verb {
    guard operands.count <= (name == "alerts" ? 1 : 0) else {
      throw UsageError(text: "\(name): unexpected argument \(operands[operands.count - 1])")
    }
    let json = flags.contains("--json")
    switch name {
    case "check": return .check(online: flags.contains("--online"))
    case "status": return .ask(.status, json: json)
    case "press":
      return .ask(.press(drill: flags.contains("--drill"), wait: try duration("--wait", values)), json: false)
    case "cancel": return .ask(.cancel, json: false)
    case "test-button":
      let span = try duration("--for", values) ?? .seconds(30)
      guard span <= ControlRequest.testLimit else {
        throw UsageError(
          text: "--for: at most \(ControlRequest.testLimit.text), because presses raise no alert meanwhile")
      }
      return .ask(.testButton(for: span), json: false)
    case "alerts": return .ask(.alerts(id: operands.first), json: json)
    case "schema": return .schema
    default: return .run
    }
  }

  private static func duration(_ option: String, _ values: [String: String]) throws(UsageError) -> Duration? {
    guard let text = values[option] else { return nil }
    guard let span = Duration(text: text) else {
      throw UsageError(text: "\(option): \(text) is no duration, like 30s")
    }
    return span
  }

  /// systemd joins several directories with colons.
  private static func first(_ list: String?) -> String? {
    list?.split(separator: ":").first.map(String.init)
  }
}
