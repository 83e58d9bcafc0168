/// Makes the message of one try.
package enum MessageComposer {
  package static func compose(_ composition: Composition) -> Message {
    let writer = AlertText(composition)
    let lines = writer.lines
    var message = Message(
      alertID: composition.alertID, kind: composition.kind, reason: composition.reason,
      sequence: composition.sequence, contactName: composition.contact.name,
      contactID: composition.contact.id, to: composition.route.to, apiKey: composition.route.apiKey,
      wearer: writer.wearerName, language: composition.contact.language, text: lines.joined(separator: "\n"),
      essentials: writer.essentials(of: lines), pressedAt: composition.pressedAt, sentAt: composition.sentAt,
      position: composition.facts.position, mapURL: writer.mapURL, address: writer.cleanAddress,
      battery: composition.facts.battery)
    message.composition = composition
    if composition.sentAt.trusted, let age = writer.totalAge {
      message.positionAt = composition.sentAt.advanced(by: .zero - age)
    }
    return message
  }

  /// Whether the text says that the alert is late.
  package static func isLate(_ composition: Composition) -> Bool {
    AlertText(composition).isLate
  }
}

extension Template {
  func rendered(with values: [Placeholder: String]) -> String {
    pieces.map { piece in
      switch piece {
      case .literal(let text): text
      case .placeholder(let name): values[name] ?? ""
      }
    }.joined()
  }
}
