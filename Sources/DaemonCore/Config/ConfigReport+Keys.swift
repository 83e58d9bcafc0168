extension ConfigReport {
  /// Every key that stands twice in one object, wherever in the text that is.
  func duplicates(in node: JSONNode, path: String) {
    switch node.content {
    case .null, .bool, .number, .string: break
    case .array(let elements):
      for (index, element) in elements.enumerated() { duplicates(in: element, path: "\(path)[\(index)]") }
    case .object(let members):
      var first: [String: Int] = [:]
      for member in members {
        let place = self.path(path, member.key)
        if let earlier = first[member.key] {
          repeated(place, at: member.keyOffset, earlier: earlier)
        } else {
          first[member.key] = member.keyOffset
        }
        duplicates(in: member.value, path: place)
      }
    }
  }

  func repeated(_ path: String, at offset: Int, earlier: Int) {
    error(
      at: offset, path,
      "stands twice, in line \(line(of: earlier)) and in line \(line(of: offset)): remove one")
  }

  /// The path of `key` in the object at `path`. What can be no key is not shown: a secret may have slipped in,
  /// as in `"Authorization: Bearer …"`.
  func path(_ path: String, _ key: String) -> String {
    if key.isEmpty { return self.path(path, "\"\"") }
    let shown = key.utf8.count > 64 || key.contains(where: { ":=".contains($0) }) ? "…" : key
    return path.isEmpty ? shown : "\(path).\(shown)"
  }
}
