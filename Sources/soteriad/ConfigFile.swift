import DaemonCore
import Glibc

/// The configuration's file, its secrets, and the last good copies of it.
enum ConfigFile {
  /// Longer is no configuration.
  static let limit = 1_048_576

  /// The file as decoded with its secrets, and its text; the text is nil when it cannot be read. Outside the
  /// service its credentials may be out of sight: then they are taken as given, with a warning.
  static func decode(_ path: String, inService: Bool = true) -> (result: ConfigResult, text: String?) {
    guard let bytes = SmallFile.read(path, limit: limit) else {
      let reason = "cannot be read: \(String(cString: strerror(errno)))"
      return (ConfigResult(config: nil, problems: [.unreadable(reason)], references: []), nil)
    }
    var result = decode(bytes, inService)
    if let warning = modeWarning(path) { result.problems.insert(warning, at: 0) }
    return (result, String(decoding: bytes, as: UTF8.self))
  }

  private static func decode(_ bytes: [UInt8], _ inService: Bool) -> ConfigResult {
    let first = ConfigDecoder.decode(bytes)
    guard !first.references.isEmpty else { return first }
    var secrets: [SecretReference: SecretLookup] = [:]
    for reference in first.references { secrets[reference] = look(up: reference, inService) }
    return ConfigDecoder.decode(bytes, secrets: secrets)
  }

  /// For a reload: what is in force is the Engine's to keep.
  static func read(_ path: String) -> ConfigReading {
    let (result, text) = decode(path)
    guard let config = result.config, let text else {
      return .broken(problems: lines(result, path, .error), fallback: nil)
    }
    return .good(config, text: text, warnings: lines(result, path, .warning))
  }

  /// For a start: a broken file does not disarm the button while there is a last good one.
  static func readWithFallback(_ path: String, state: String) -> ConfigReading {
    let reading = read(path)
    guard case .broken(let problems, _) = reading else { return reading }
    for kept in [KeptConfig.proven, .loaded] {
      let (result, text) = decode(LastGood.path(kept, in: state))
      if let config = result.config, let text {
        return .broken(problems: problems, fallback: ConfigReading.Fallback(config: config, text: text))
      }
    }
    return reading
  }

  private static func lines(_ result: ConfigResult, _ path: String, _ severity: ConfigProblem.Severity)
    -> [String]
  {
    result.problems.filter { $0.severity == severity }.map { $0.line(file: path) }
  }

  private static func look(up reference: SecretReference, _ inService: Bool) -> SecretLookup {
    let path: String
    switch reference {
    case .file(let file): path = file
    case .credential(let name):
      // While the service runs its credentials lie there, for root to see. Source: systemd.exec(5).
      let visible = inService ? nil : "/run/credentials/soteriad.service"
      guard let directory = environment("CREDENTIALS_DIRECTORY") ?? visible else {
        return .failed(
          "credential \(name): there is no $CREDENTIALS_DIRECTORY; add LoadCredential=\(name):… to the unit")
      }
      path = "\(directory)/\(name)"
      if !inService, access(path, R_OK) != 0 {
        return .hidden("credential \(name) cannot be seen outside the service, so it was not checked")
      }
    }
    guard let bytes = SmallFile.read(path, limit: 65_536) else {
      return .failed("cannot read \(path): \(String(cString: strerror(errno)))")
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      return .failed("\(path) is no text in UTF-8")
    }
    if text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
    if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
    return .value(text)
  }

  /// Tokens that everyone on the device can read are none.
  private static func modeWarning(_ path: String) -> ConfigProblem? {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IROTH != 0 else { return nil }
    let mode = String(info.st_mode & 0o777, radix: 8)
    return ConfigProblem(
      .warning, at: TextPosition(line: 1, column: 1), key: "",
      "everyone can read the file and the secrets in it (mode 0\(mode)); run 'chmod 640 \(path)'")
  }
}

/// Copies of configurations that worked, as text, secrets unresolved. Source: DESIGN, configuration.
enum LastGood {
  static func path(_ kept: KeptConfig, in stateDirectory: String) -> String {
    "\(stateDirectory)/config.\(kept.rawValue).json"
  }
}
