/// One message to one contact, complete: what every gateway builds its requests from.
package struct Message: Equatable, Sendable {
  /// What it was made from.
  package var composition: Composition
  package var wearer: String
  /// The whole text for people, lines separated by `\n`.
  package var text: String
  /// When the wearer was at `position`; nil while the clock is not trusted, or where nobody can tell.
  package var positionAt: WallTime?
  package var mapURL: String?
  package var address: String?
}

extension Message {
  package var alertID: String { composition.alertID }
  package var kind: MessageKind { composition.kind }
  package var reason: UpdateReason? { composition.reason }
  /// 0 for the alert itself, then counting up per contact.
  package var sequence: Int { composition.sequence }
  package var contactName: String { composition.contact.name }
  package var contactID: String { composition.contact.id }
  /// The route's address in canonical form (`+62811…`, a chat id); nil for a webhook without one.
  package var to: String? { composition.route.to }
  /// The route's own CallMeBot key; nil where the gateway's serves.
  package var apiKey: String? { composition.route.apiKey }
  package var pressedAt: WallTime { composition.pressedAt }
  package var sentAt: WallTime { composition.sentAt }
  package var position: PositionFact { composition.facts.position }
  package var battery: Int? { composition.facts.battery }

  /// What a shortened text must still hold, a line each: wearer, coordinates, map link. Put together only when asked
  /// for, as what the placeholders say: most messages need none of it.
  package var essentials: [String] { AlertText(composition).essentials }

  /// What a placeholder of `alert.text` says in this message, in the contact's language.
  package func phrase(_ placeholder: Placeholder) -> String {
    String(AlertText(composition).phrase(placeholder))
  }

  /// The key by which a receiver knows a repeated message: the same for every try.
  package var idempotencyKey: String { String("\(alertID)/\(contactID)/\(sequence)" as Words).onOneLine }
}
