import DaemonCore
import Glibc

/// The configuration's file, its secrets, and the last good copies of it.
enum ConfigFile {
  /// Longer is no configuration.
  static let limit = 1_048_576

  /// Who reads.
  enum Reader {
    case service
    /// Somebody who checks. The service's credentials may be out of sight: then they are taken as given, with a
    /// warning. What the service's user, if there is one to mind, cannot read is an error.
    case checker(for: ServiceUser?)

    /// How long a pipe may take to bring more, as in `generate | soteriad check --config /dev/stdin`.
    fileprivate var patience: Duration {
      switch self {
      case .service: .zero
      case .checker: .seconds(10)
      }
    }
  }

  /// The file as decoded with its secrets, and its text; the text is nil when it cannot be read.
  static func decode(_ path: String, by reader: Reader = .service) -> (result: ConfigResult, text: String?) {
    if let closed = closed(path, to: reader) {
      return (ConfigResult(config: nil, problems: [.unreadable(closed)], references: []), nil)
    }
    guard let bytes = SmallFile.read(path, limit: limit, patience: reader.patience) else {
      let reason = "cannot be read: \(SystemError.words(errno))"
      return (ConfigResult(config: nil, problems: [.unreadable(reason)], references: []), nil)
    }
    var result = decode(bytes, by: reader)
    let files = Set(result.references).compactMap { if case .file(let file) = $0 { file } else { nil } }
    result.problems.insert(contentsOf: ([path] + files.sorted()).compactMap(modeWarning), at: 0)
    // The daemon learns it by itself, and from a disk that may hang.
    if case .checker = reader, let warning = result.config?.geocoder.flatMap(placesWarning) {
      result.problems.append(warning)
    }
    return (result, String(decoding: bytes, as: UTF8.self))
  }

  /// Why the service cannot read what root can; nil when it can, or when there is nothing there.
  private static func closed(_ path: String, to reader: Reader) -> String? {
    guard case .checker(for: let user?) = reader, access(path, F_OK) == 0, !user.canRead(path) else {
      return nil
    }
    let name = ServiceUser.name
    return
      "the service, which runs as \(name), cannot read \(path): run 'chgrp \(name) \(path)' and 'chmod 640 \(path)'"
  }

  private static func decode(_ bytes: [UInt8], by reader: Reader) -> ConfigResult {
    let first = ConfigDecoder.decode(bytes)
    guard !first.references.isEmpty else { return first }
    var secrets: [SecretReference: SecretLookup] = [:]
    for reference in first.references { secrets[reference] = look(up: reference, reader) }
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

  private static func look(up reference: SecretReference, _ reader: Reader) -> SecretLookup {
    let path: String
    switch reference {
    case .file(let file):
      path = file
      if let closed = closed(path, to: reader) { return .failed(closed) }
    case .credential(let name):
      // While the service runs its credentials lie there, for root to see. Source: systemd.exec(5).
      let isChecker = if case .checker = reader { true } else { false }
      let visible = isChecker ? "/run/credentials/soteriad.service" : nil
      let own = environment("CREDENTIALS_DIRECTORY")
      guard let directory = own ?? visible else {
        return .failed(
          "credential \(name): there is no $CREDENTIALS_DIRECTORY; add LoadCredential=\(name):… to the unit")
      }
      path = "\(directory)/\(name)"
      if own == nil, access(path, R_OK) != 0 {
        return .hidden("credential \(name) cannot be seen outside the service, so it was not checked")
      }
    }
    guard let bytes = SmallFile.read(path, limit: 65_536) else {
      return .failed("cannot read \(path): \(SystemError.words(errno))")
    }
    guard var text = String(validating: bytes, as: UTF8.self) else {
      return .failed("\(path) is no text in UTF-8")
    }
    // An editor's mark of UTF-8: it would be sent as a part of the secret, and nobody would see why that is refused.
    if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
    if text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
    if text.unicodeScalars.last == "\r" { text.unicodeScalars.removeLast() }
    return .value(text)
  }

  /// A list that is all there is to ask, and cannot be asked.
  private static func placesWarning(_ settings: GeocoderSettings) -> ConfigProblem? {
    guard settings.service == nil,
      case .failure(let fault) = PlacesSource.nearest(
        to: Spot(latitude: 0, longitude: 0), in: settings.places)
    else { return nil }
    return ConfigProblem(
      .warning, at: TextPosition(line: 1, column: 1), key: "geocoder.places",
      "\(settings.places) \(fault.sentence): install the package soteriad-places; until then messages carry no address"
    )
  }

  /// Tokens that everyone on the device can read are none.
  private static func modeWarning(_ path: String) -> ConfigProblem? {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IROTH != 0, isReachable(path) else { return nil }
    let mode = String(info.st_mode & 0o777, radix: 8)
    return ConfigProblem(
      .warning, at: TextPosition(line: 1, column: 1), key: "",
      "everyone can read \(path) and the secrets in it (mode 0\(mode)); run 'chmod 640 \(path)'")
  }

  /// Whether everyone may pass the directories that lead to the file.
  private static func isReachable(_ path: String) -> Bool {
    guard let real = realpath(path, nil) else { return true }
    defer { free(real) }
    var directory = String(cString: real)[...]
    while let slash = directory.lastIndex(of: "/"), slash > directory.startIndex {
      directory = directory[..<slash]
      var info = stat()
      if stat(String(directory), &info) == 0, info.st_mode & S_IXOTH == 0 { return false }
    }
    return true
  }
}

/// Copies of configurations that worked, as text, secrets unresolved. Source: DESIGN, configuration.
enum LastGood {
  static func path(_ kept: KeptConfig, in stateDirectory: String) -> String {
    "\(stateDirectory)/config.\(kept.rawValue).json"
  }
}
