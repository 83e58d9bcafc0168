/// A webhook's own body, parsed once.
package struct WebhookTemplate: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    case literal(String)
    case placeholder(WebhookPlaceholder)
  }
  package var pieces: [Piece]

  package init(pieces: [Piece]) {
    self.pieces = pieces
  }

  /// Each placeholder escaped for `contentType`. Outside a JSON string a text brings its own quotes, a
  /// coordinate is a number, and `null` stands for one that is not known: the first alert without a fix must
  /// not be the one that the server cannot read.
  func rendered(for message: Message, contentType: String) -> String {
    let escaping = Escaping(contentType: contentType)
    var scanner = JSONStringScanner()
    var text = ""
    for piece in pieces {
      switch piece {
      case .literal(let literal):
        scanner.read(literal)
        text += literal
      case .placeholder(let name):
        let value = name.value(in: message)
        switch escaping {
        case .json where !scanner.inString: text += name.isNumber ? value ?? "null" : value.quoted
        case .json: text += String((value ?? name.unknown(in: message)).quoted.dropFirst().dropLast())
        case .form: text += (value ?? name.unknown(in: message)).percentEncoded
        case .xml: text += (value ?? name.unknown(in: message)).xmlEscaped
        case .none: text += value ?? name.unknown(in: message)
        }
      }
    }
    return text
  }

  private enum Escaping {
    case json, form, xml, none

    init(contentType: String) {
      let bytes = contentType.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
      let type = String(decoding: bytes.asciiLowercased, as: UTF8.self)
      self =
        if type == "application/json" || type.hasSuffix("+json") {
          .json
        } else if type == "application/x-www-form-urlencoded" {
          .form
        } else if type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml")
          || type == "text/html"
        {
          .xml
        } else {
          .none
        }
    }
  }
}

/// Whether the end of what was read lies within a JSON string.
private struct JSONStringScanner {
  private(set) var inString = false
  private var escaped = false

  mutating func read(_ text: String) {
    for byte in text.utf8 {
      if escaped {
        escaped = false
      } else if byte == UInt8(ascii: "\\") {
        escaped = inString
      } else if byte == UInt8(ascii: "\"") {
        inString.toggle()
      }
    }
  }
}

extension String {
  /// As a JSON string with its quotes.
  fileprivate var quoted: String { String(decoding: JSON.string(self).bytes, as: UTF8.self) }
}

extension String? {
  fileprivate var quoted: String { self?.quoted ?? "null" }
}

/// What a webhook's own body can hold: the placeholders of `alert.text` and the message's own.
package enum WebhookPlaceholder: String, Hashable, Sendable, CaseIterable {
  case wearer, position, address, map, lat, lon, accuracy, age, time, battery
  case text, to, alert, kind, sequence, contact
  case pressedAt = "pressed_at"
  case idempotencyKey = "idempotency_key"
  /// In seconds since 1970.
  case positionTime = "position_time"
  case sentTime = "sent_time"

  fileprivate var isNumber: Bool {
    switch self {
    case .lat, .lon, .sequence, .positionTime, .sentTime: true
    default: false
    }
  }

  /// nil where the fact is not known.
  func value(in message: Message) -> String? {
    switch self {
    case .positionTime: message.positionAt.map { "\($0.milliseconds / 1000)" }
    case .sentTime: message.sentAt.trusted ? "\(message.sentAt.milliseconds / 1000)" : nil
    case .lat: message.position.fix?.latitudeText
    case .lon: message.position.fix?.longitudeText
    case .map: message.mapURL
    case .address: message.address
    case .wearer: message.wearer
    case .position, .accuracy, .age, .time, .battery:
      Placeholder(rawValue: rawValue).map(message.phrase)
    case .text: message.text
    case .to: message.to
    case .alert: message.alertID
    case .kind: message.kind.rawValue
    case .sequence: "\(message.sequence)"
    case .contact: message.contactName
    case .pressedAt: message.pressedAt.utcText
    case .idempotencyKey: message.idempotencyKey
    }
  }

  /// What stands for it in a sentence when it is not known.
  fileprivate func unknown(in message: Message) -> String {
    Placeholder(rawValue: rawValue).map(message.phrase) ?? ""
  }
}
