/// What a route's `to` must be at a gateway.
struct Addressing: Sendable {
  /// What is missing where a route has none; nil where none is needed.
  var missing: String?
  /// What it must be, for whoever gave another.
  var form: String
  /// The canonical form of what was given; nil where it is no such address.
  var canonical: @Sendable (JSON) -> String?
  /// What may be wrong with an address all the same.
  var doubt: @Sendable (String) -> String? = { _ in nil }

  /// The address in canonical form, or what is wrong with it. `node` is nil where none is given.
  func read(_ node: JSONNode?) -> Result<String?, AddressProblem> {
    guard let node else {
      return missing.map { .failure(AddressProblem(text: "is missing: \($0)")) } ?? .success(nil)
    }
    return read(node.json)
  }

  func read(_ given: JSON) -> Result<String?, AddressProblem> {
    canonical(given).map { .success($0) } ?? .failure(AddressProblem(text: "must be \(form)"))
  }
}

struct AddressProblem: Error {
  var text: String
}

extension Addressing {
  /// None is needed; text is passed on.
  static let free = Addressing(form: "text in quotes") { given in
    given.string.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `+` and 8 to 15 digits. Source: ITU-T E.164.
  static let phone = Addressing(
    missing: "the contact's phone number",
    form: "a phone number in quotes: + and 8 to 15 digits with the country's code",
    canonical: { $0.string.flatMap(PhoneNumber.canonical) },
    doubt: PhoneNumber.doubt)

  /// A 64-bit number or `@name`.
  static let chat = Addressing(
    missing: "the contact's chat id or \"@name\"",
    form: "a chat id (a whole number of 64 bits) or \"@name\""
  ) { given in
    guard let text = given.string else { return given.integer.map { "\($0)" } }
    return Int64(text).map { "\($0)" } ?? (PhoneNumber.isChatName(text) ? text : nil)
  }

  /// Text of the characters that `allowed` takes, of a length within `range`.
  static func name(
    _ missing: String, form: String, length range: ClosedRange<Int>,
    of allowed: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> Addressing {
    Addressing(missing: missing, form: form) { given in
      guard let text = given.string, range.contains(text.unicodeScalars.count) else { return nil }
      return text.unicodeScalars.allSatisfy(allowed) ? text : nil
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter or digit of ASCII.
  var isPlainWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}

/// Phone numbers and names. Source: ITU-T E.164; Telegram user names.
enum PhoneNumber {
  /// Spaces, hyphens, dots and brackets are dropped, and what address books add to them: other spaces and
  /// hyphens, marks of writing direction. nil when what is left is no number.
  static func canonical(_ text: String) -> String? {
    let scalars = text.unicodeScalars.filter { scalar in
      switch scalar {
      case " ", "-", ".", "(", ")", "[", "]", "\u{A0}", "\u{2000}"..."\u{2015}", "\u{202A}"..."\u{202F}",
        "\u{2060}", "\u{2066}"..."\u{2069}":
        false
      default: true
      }
    }
    let digits = scalars.dropFirst()
    guard scalars.first == "+", (8...15).contains(digits.count),
      digits.allSatisfy({ ("0"..."9").contains($0) })
    else { return nil }
    return String(String.UnicodeScalarView(scalars))
  }

  /// What may be wrong with a number that is one.
  static func doubt(_ text: String) -> String? {
    if hasTrunkZero(text) { return "\"(0)\" is not dialled behind a country's code: remove that 0" }
    guard canonical(text)?.hasPrefix("+0") == true else { return nil }
    return "no country's code begins with 0: put the country's code in place of the first 0"
  }

  /// Whether a number is written with the 0 that is dialled at home alone, as in +44 (0)20.
  private static func hasTrunkZero(_ text: String) -> Bool {
    String(text.filter { $0 != " " }).split(separator: "(").dropFirst().contains { $0.hasPrefix("0)") }
  }

  static func isChatName(_ text: String) -> Bool {
    let name = text.dropFirst()
    return text.hasPrefix("@") && (4...32).contains(name.count)
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
