/// One message to one contact, complete: what every gateway builds its requests from.
package struct Message: Hashable, Sendable {
  package var alertID: String
  package var kind: MessageKind
  package var reason: UpdateReason?
  /// 0 for the alert itself, then counting up per contact.
  package var sequence: Int
  package var contactName: String
  package var contactID: String
  /// The route's address in canonical form (`+62811…`, a chat id); nil for a webhook without one.
  package var to: String?
  /// The route's own CallMeBot key; nil where the gateway's serves.
  package var apiKey: String?
  package var wearer: String
  /// BCP 47 language of `text`.
  package var language: Language
  /// The whole text for people, lines separated by `\n`.
  package var text: String
  /// What a shortened text must still hold, a line each: wearer, coordinates, map link.
  package var essentials: [String]
  package var pressedAt: WallTime
  package var sentAt: WallTime
  package var position: PositionFact
  /// When the wearer was at `position`; nil while the clock is not trusted, or where nobody can tell.
  package var positionAt: WallTime?
  package var mapURL: String?
  package var address: String?
  package var battery: Int?
  /// What it was made from.
  package var composition: Composition?

  package init(
    alertID: String, kind: MessageKind, reason: UpdateReason?, sequence: Int, contactName: String,
    contactID: String, to: String?, apiKey: String? = nil, wearer: String, language: Language, text: String,
    essentials: [String],
    pressedAt: WallTime, sentAt: WallTime, position: PositionFact, mapURL: String?, address: String?,
    battery: Int?
  ) {
    self.alertID = alertID
    self.kind = kind
    self.reason = reason
    self.sequence = sequence
    self.contactName = contactName
    self.contactID = contactID
    self.to = to
    self.apiKey = apiKey
    self.wearer = wearer
    self.language = language
    self.text = text
    self.essentials = essentials
    self.pressedAt = pressedAt
    self.sentAt = sentAt
    self.position = position
    self.mapURL = mapURL
    self.address = address
    self.battery = battery
  }

  /// What the placeholders of `alert.text` say in this message, in the contact's language. Put into words only when
  /// asked for: most messages need none of it.
  package var phrases: [Placeholder: String] { composition.map { AlertText($0).placeholders } ?? [:] }

  /// The key by which a receiver knows a repeated message: the same for every try.
  package var idempotencyKey: String { "\(alertID)/\(contactID)/\(sequence)".onOneLine }
}
