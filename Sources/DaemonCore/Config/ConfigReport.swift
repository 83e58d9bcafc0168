/// Where one decoding collects what it finds. A class, because every reader of a part adds to the same list.
final class ConfigReport {
  /// Stands for a secret that has not been looked up.
  static let standIn = "unresolved"

  private let bytes: [UInt8]
  /// The place of every `stride`th byte, so that many problems in a long text take no long time.
  private let marks: [TextPosition]
  private static let stride = 1024
  private let secrets: [SecretReference: SecretLookup]
  private(set) var problems: [ConfigProblem] = []
  private(set) var references: [SecretReference] = []

  init(bytes: [UInt8], secrets: [SecretReference: SecretLookup]) {
    self.bytes = bytes
    self.secrets = secrets
    var place = TextPosition(line: 1, column: 1)
    marks = Swift.stride(from: 0, through: bytes.count, by: Self.stride).map { start in
      defer { place.advance(over: start..<min(start + Self.stride, bytes.count), of: bytes) }
      return place
    }
  }

  func line(of offset: Int) -> Int { position(of: offset).line }

  private func position(of offset: Int) -> TextPosition {
    let end = min(offset, bytes.count)
    var place = marks[end / Self.stride]
    place.advance(over: end / Self.stride * Self.stride..<end, of: bytes)
    return place
  }

  func error(at offset: Int, _ key: String, _ text: String) {
    problems.append(ConfigProblem(.error, at: position(of: offset), key: key, text))
  }

  func warning(at offset: Int, _ key: String, _ text: String) {
    problems.append(ConfigProblem(.warning, at: position(of: offset), key: key, text))
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
