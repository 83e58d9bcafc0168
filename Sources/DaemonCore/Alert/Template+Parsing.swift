/// Texts with placeholders in braces; `{{` and `}}` are the braces themselves.
enum PlaceholderText {
  enum Piece: Hashable {
    case literal(String)
    case name(String)
  }

  struct Problem: Error {
    var text: String
  }

  /// Splits `text`; every name must be one of `known`.
  static func split(_ text: String, known: [String]) -> Result<[Piece], Problem> {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literal.append(character)
        rest.removeFirst()
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          return .failure(Problem(text: "a { has no }; write {{ for the brace itself"))
        }
        let name = String(rest[..<end])
        guard known.contains(name) else {
          let near = NearestName.find(name, among: known).map { "did you mean {\($0)}? " } ?? ""
          let list = known.map { "{\($0)}" }.joined(separator: " ")
          return .failure(Problem(text: "unknown placeholder; \(near)known: \(list)"))
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        pieces.append(.name(name))
        rest = rest[rest.index(after: end)...]
      case "}":
        return .failure(Problem(text: "a } has no {; write }} for the brace itself"))
      default:
        literal.append(character)
      }
    }
    if !literal.isEmpty { pieces.append(.literal(literal)) }
    return .success(pieces)
  }
}

extension Template {
  static func parse(_ text: String) -> Result<Template, PlaceholderText.Problem> {
    PlaceholderText.split(text, known: Placeholder.allCases.map(\.rawValue)).map { pieces in
      Template(
        pieces: pieces.compactMap { piece in
          switch piece {
          case .literal(let text): .literal(text)
          case .name(let name): Placeholder(rawValue: name).map { .placeholder($0) }
          }
        })
    }
  }
}
