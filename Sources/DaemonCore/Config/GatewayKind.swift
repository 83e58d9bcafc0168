/// A gateway that the configuration can name: its keys, its decoding, and what addresses look like there.
protocol ConfigurableGateway: Gateway {
  /// Beside `type`, `timeout` and `ca_file`.
  static var keys: [ConfigKey] { get }
  /// nil when an error was reported.
  static func decode(_ reader: ObjectReader) -> Self?
  /// What a route's `to` must be.
  static var addressing: Addressing { get }
}

/// What kind of address a gateway takes.
enum Addressing: Hashable, Sendable {
  /// None is needed; text is passed on.
  case free
  /// `+` and 8 to 15 digits. Source: ITU-T E.164.
  case phone
  /// A 64-bit number or `@name`.
  case chat
}

/// Every type of gateway. A new one is a line here, a file, and an entry in the manual.
package enum GatewayKind: String, Hashable, Sendable, CaseIterable {
  case webhook, whatsapp, twilio, callmebot, telegram

  var gateway: any ConfigurableGateway.Type {
    switch self {
    case .webhook: Webhook.self
    case .whatsapp: WhatsApp.self
    case .twilio: Twilio.self
    case .callmebot: CallMeBot.self
    case .telegram: Telegram.self
    }
  }
}

extension Addressing {
  /// The address in canonical form, or what is wrong with it. `node` is nil where none is given.
  func canonical(_ node: JSONNode?) -> Result<String?, AddressProblem> {
    guard let node else {
      switch self {
      case .free: return .success(nil)
      case .phone: return .failure(AddressProblem(text: "is missing: the contact's phone number"))
      case .chat: return .failure(AddressProblem(text: "is missing: the contact's chat id or \"@name\""))
      }
    }
    switch (self, node.content) {
    case (.free, .string(let text)) where !text.isEmpty: return .success(text)
    case (.phone, .string(let text)):
      if let number = PhoneNumber.canonical(text) { return .success(number) }
    case (.chat, .string(let text)):
      if let number = Int64(text) { return .success("\(number)") }
      if PhoneNumber.isChatName(text) { return .success(text) }
    case (.chat, .number):
      if let number = node.json.integer { return .success("\(number)") }
    default: break
    }
    switch self {
    case .free: return .failure(AddressProblem(text: "must be text in quotes"))
    case .phone:
      return .failure(
        AddressProblem(text: "must be a phone number in quotes: + and 8 to 15 digits with the country's code")
      )
    case .chat:
      return .failure(AddressProblem(text: "must be a chat id (a whole number of 64 bits) or \"@name\""))
    }
  }
}

struct AddressProblem: Error {
  var text: String
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

  /// Whether a number is written with the 0 that is dialled at home alone, as in +44 (0)20.
  static func hasTrunkZero(_ text: String) -> Bool {
    String(text.filter { $0 != " " }).split(separator: "(").dropFirst().contains { $0.hasPrefix("0)") }
  }

  static func isChatName(_ text: String) -> Bool {
    let name = text.dropFirst()
    return text.hasPrefix("@") && (4...32).contains(name.count)
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
