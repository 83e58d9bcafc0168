/// Reads one object of the configuration by its key table, and reports everything that does not fit.
package struct ObjectReader {
  let report: ConfigReport
  let path: String
  let offset: Int
  private let keys: [ConfigKey]
  private var values: [String: JSONNode] = [:]

  /// nil, and an error, when `node` is no object.
  init?(_ node: JSONNode, path: String, keys: [ConfigKey], report: ConfigReport) {
    guard case .object(let members) = node.content else {
      report.error(at: node.offset, path, "must be an object in { }, not \(node.typeName)")
      return nil
    }
    self.report = report
    self.path = path
    self.keys = keys
    offset = node.offset
    var seen: Set<String> = []
    for member in members where seen.insert(member.key).inserted { take(member) }
    for key in keys where key.isRequired && values[key.name] == nil {
      report.error(at: offset, self.path(of: key.name), "is missing: \(key.meaning)")
    }
  }

  /// The first member of each key, without the nulls: those are the same as left out.
  static func present(_ members: [JSONNode.Member]) -> [JSONNode.Member] {
    var seen: Set<String> = []
    return members.filter { member in
      let isFirst = seen.insert(member.key).inserted
      if case .null = member.value.content { return false }
      return isFirst
    }
  }

  private mutating func take(_ member: JSONNode.Member) {
    let place = path(of: member.key)
    guard let key = keys.first(where: { $0.name == member.key }) else {
      let names = keys.filter(\.isSupported).map(\.name)
      let advice =
        NearestName.find(member.key, among: names).map { "did you mean \"\($0)\"?" }
        ?? "known here: \(names.joined(separator: ", "))"
      return report.error(at: member.keyOffset, place, "unknown key; \(advice)")
    }
    if case .null = member.value.content { return }
    guard key.isSupported else {
      return report.error(
        at: member.keyOffset, place, "is not honoured by this version of soteriad yet; remove it")
    }
    values[member.key] = member.value
  }

  func path(of key: String) -> String { report.path(path, key) }

  package func node(_ key: String) -> JSONNode? { values[key] }

  package func error(_ key: String, _ text: String) {
    report.error(at: values[key]?.offset ?? offset, path(of: key), text)
  }

  package func warning(_ key: String, _ text: String) {
    report.warning(at: values[key]?.offset ?? offset, path(of: key), text)
  }

  private func kind(_ key: String) -> ConfigKey.Kind? { keys.first { $0.name == key }?.kind }

  private func mismatch(_ key: String, _ wanted: String, _ node: JSONNode) {
    error(key, "must be \(wanted), not \(node.typeName)")
  }

  /// Text without control characters, except for line breaks and tabs in `multiline`; never blank.
  package func text(_ key: String, multiline: Bool = false) -> String? {
    guard let node = values[key] else { return nil }
    guard case .string(let text) = node.content else {
      mismatch(key, "text in quotes", node)
      return nil
    }
    if text.isBlank {
      error(key, "is empty: give it a value or remove it")
      return nil
    }
    let isClean = multiline ? !text.hasControl(besides: "\t\n\r") : !text.hasControl
    guard isClean else {
      error(key, "holds a \(multiline ? "" : "line break or ")control character: remove it")
      return nil
    }
    return text
  }

  /// A secret, resolved; its value never appears in a problem.
  package func secret(_ key: String) -> String? {
    guard let node = values[key] else { return nil }
    return Self.secret(node, path: path(of: key), report)
  }

  static func secret(_ node: JSONNode, path: String, _ report: ConfigReport) -> String? {
    let found: String?
    switch node.content {
    case .string(let text): found = text
    case .object(let all):
      let members = present(all)
      guard members.count == 1, let member = members.first, case .string(let name) = member.value.content,
        !name.hasControl
      else {
        report.error(
          at: node.offset, path, "must be text, { \"credential\": \"NAME\" } or { \"file\": \"/path\" }")
        return nil
      }
      switch member.key {
      case "credential" where !name.isEmpty && !name.contains("/"):
        found = report.secret(.credential(name), at: node.offset, path)
      case "file" where name.hasPrefix("/"):
        found = report.secret(.file(name), at: node.offset, path)
      case "credential", "file":
        report.error(
          at: member.value.offset, path, "a credential is a name without \"/\", a file an absolute path")
        return nil
      default:
        report.error(at: member.keyOffset, path, "unknown key; known here: credential, file")
        return nil
      }
    case .null, .bool, .number, .array:
      report.error(
        at: node.offset, path, "must be text, { \"credential\": \"NAME\" } or { \"file\": \"/path\" }")
      return nil
    }
    guard let value = found else { return nil }
    guard !value.isEmpty, !value.hasControl else {
      report.error(at: node.offset, path, "the secret is empty or holds a line break or control character")
      return nil
    }
    return value
  }

  package func duration(_ key: String) -> Duration? {
    guard let node = values[key], case .duration(let range)? = kind(key) else { return nil }
    guard case .string(let text) = node.content, let span = Duration(text: text) else {
      error(key, "must be a whole number with a unit in quotes, like \"250ms\", \"30s\", \"10m\", \"7d\"")
      return nil
    }
    guard range.contains(span) else {
      error(key, "must be between \(range.lowerBound.text) and \(range.upperBound.text)")
      return nil
    }
    return span
  }

  package func integer(_ key: String) -> Int? {
    guard let node = values[key], case .integer(let range)? = kind(key) else { return nil }
    guard let number = node.json.integer, range.contains(number) else {
      error(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return number
  }

  package func bool(_ key: String) -> Bool? {
    guard let node = values[key] else { return nil }
    guard case .bool(let value) = node.content else {
      mismatch(key, "true or false", node)
      return nil
    }
    return value
  }

  package func choice<Value: RawRepresentable>(_ key: String, as: Value.Type = Value.self) -> Value?
  where Value.RawValue == String {
    guard let node = values[key], case .choice(let names)? = kind(key) else { return nil }
    guard case .string(let text) = node.content else {
      mismatch(key, "text in quotes", node)
      return nil
    }
    if let value = Value(rawValue: text) { return value }
    let near = NearestName.find(text, among: names).map { "did you mean \"\($0)\"? " } ?? ""
    error(key, "\(near)must be one of: \(names.joined(separator: ", "))")
    return nil
  }

  package func object(_ key: String) -> ObjectReader? {
    guard let node = values[key], case .object(let keys)? = kind(key) else { return nil }
    return ObjectReader(node, path: path(of: key), keys: keys, report: report)
  }

  package func list(_ key: String) -> [JSONNode]? {
    guard let node = values[key] else { return nil }
    guard case .array(let elements) = node.content else {
      mismatch(key, "a list in [ ]", node)
      return nil
    }
    return elements
  }

  /// An http or https URL with a host. `{to}` may stand in it where that is allowed.
  package func url(_ key: String, secret: Bool = false) -> String? {
    guard let given = secret ? self.secret(key) : self.text(key) else { return nil }
    let text = URLText.canonical(given)
    if secret, case .object? = values[key]?.content, text == ConfigReport.standIn { return text }
    guard let host = URLText.host(of: text) else {
      error(key, "must be a URL like \"https://example.org/path\", in ASCII and without spaces")
      return nil
    }
    if text.hasPrefix("http:"), !URLText.isLoopback(host) {
      warning(key, "is not encrypted: anyone on the way can read positions and secrets; use https")
    }
    return text
  }
}

extension String {
  /// Whether it holds a line break or another ASCII control character.
  fileprivate var hasControl: Bool { hasControl(besides: "") }

  fileprivate func hasControl(besides allowed: String) -> Bool {
    utf8.contains { ($0 < 0x20 || $0 == 0x7F) && !allowed.utf8.contains($0) }
  }

  /// Whether there is nothing in it to be seen.
  fileprivate var isBlank: Bool {
    unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
  }
}
