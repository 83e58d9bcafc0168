/// Where one decoding collects what it finds. A class, because every reader of a part adds to the same list.
final class ConfigReport {
  /// Stands for a secret that has not been looked up.
  static let standIn = "unresolved"

  private let bytes: [UInt8]
  private let secrets: [SecretReference: SecretLookup]
  private(set) var problems: [ConfigProblem] = []
  private(set) var references: [SecretReference] = []

  init(bytes: [UInt8], secrets: [SecretReference: SecretLookup]) {
    self.bytes = bytes
    self.secrets = secrets
  }

  func line(of offset: Int) -> Int { TextPosition(offset: offset, in: bytes).line }

  func error(at offset: Int, _ key: String, _ text: String) {
    problems.append(ConfigProblem(.error, at: TextPosition(offset: offset, in: bytes), key: key, text))
  }

  func warning(at offset: Int, _ key: String, _ text: String) {
    problems.append(ConfigProblem(.warning, at: TextPosition(offset: offset, in: bytes), key: key, text))
  }

  /// The value of a reference; a stand-in while it has not been looked up, nil when that failed.
  func secret(_ reference: SecretReference, at offset: Int, _ key: String) -> String? {
    references.append(reference)
    switch secrets[reference] {
    case .value(let text): return text
    case .failed(let reason):
      error(at: offset, key, reason)
      return nil
    case .hidden(let reason):
      warning(at: offset, key, reason)
      return Self.standIn
    case nil: return Self.standIn
    }
  }
}
