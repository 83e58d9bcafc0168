/// What a webhook sends.
package enum WebhookBody: Hashable, Sendable {
  /// The document of CONTRACT, webhook.
  case json
  /// The same facts, flat, as a form.
  case form
  /// The owner's own text.
  case template(WebhookTemplate)
}

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
}

/// What a webhook's own body can hold: the placeholders of `alert.text` and the message's own.
package enum WebhookPlaceholder: String, Hashable, Sendable, CaseIterable {
  case wearer, position, address, map, lat, lon, accuracy, age, time, battery
  case text, to, alert, kind, sequence, contact
  case pressedAt = "pressed_at"
  case idempotencyKey = "idempotency_key"
}
