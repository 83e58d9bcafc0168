extension WebhookTemplate {
  /// `{name}` is a placeholder, and an error where the name is unknown; every other brace is itself, because
  /// bodies are mostly JSON.
  static func parse(_ text: String) -> Result<WebhookTemplate, PlaceholderText.Problem> {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      // Looked for behind a brace only: behind every letter, a long word would take the square of its length.
      let name = character == "{" ? rest.prefix { ("a"..."z").contains($0) || $0 == "_" } : ""
      guard !name.isEmpty, rest.dropFirst(name.count).first == "}" else {
        literal.append(character)
        continue
      }
      let known = WebhookPlaceholder.allCases.map(\.rawValue)
      guard let placeholder = WebhookPlaceholder(rawValue: String(name)) else {
        let near = NearestName.find(String(name), among: known).map { "did you mean {\($0)}? " } ?? ""
        let list = known.map { "{\($0)}" }.joined(separator: " ")
        return .failure(PlaceholderText.Problem(text: "unknown placeholder; \(near)known: \(list)"))
      }
      if !literal.isEmpty { pieces.append(.literal(literal)) }
      literal = ""
      pieces.append(.placeholder(placeholder))
      rest = rest.dropFirst(name.count + 1)
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return .success(WebhookTemplate(pieces: pieces))
  }
}
