/// One message to one contact, complete: what every gateway builds its requests from.
package struct Message: Sendable {
  /// What it was made from, which whoever reads the message shares.
  var source: Shared<Composition>
  package var wearer: String
  /// The whole text for people, lines separated by `\n`.
  package var text: String
  /// When the wearer was at `position`; nil while the clock is not trusted, or where nobody can tell.
  package var positionAt: WallTime?
  package var mapURL: String?
  package var address: String?
}

extension Message {
  package var composition: Composition {
    get { source.value }
    set { source = Shared(newValue) }
  }

  package var alertID: String { source.alertID }
  package var kind: MessageKind { source.kind }
  package var reason: UpdateReason? { source.reason }
  /// 0 for the alert itself, then counting up per contact.
  package var sequence: Int { source.sequence }
  package var contactName: String { source.contact.name }
  package var contactID: String { source.contact.id }
  /// The route's address in canonical form (`+62811…`, a chat id); nil for a webhook without one.
  package var to: String? { source.route.to }
  /// The route's own CallMeBot key; nil where the gateway's serves.
  package var apiKey: String? { source.route.apiKey }
  package var pressedAt: WallTime { source.pressedAt }
  package var sentAt: WallTime { source.sentAt }
  package var position: PositionFact { source.facts.position }
  package var battery: Int? { source.facts.battery }

  /// What a shortened text must still hold, a line each: wearer, coordinates, map link. Put together only when asked
  /// for, as what the placeholders say: most messages need none of it.
  package var essentials: [String] { AlertText(source).essentials }

  /// What a placeholder of `alert.text` says in this message, in the contact's language.
  package func phrase(_ placeholder: Placeholder) -> String {
    String(AlertText(source).phrase(placeholder))
  }

  /// The key by which a receiver knows a repeated message: the same for every try.
  package var idempotencyKey: String { String("\(alertID)/\(contactID)/\(sequence)" as Words).onOneLine }
}
