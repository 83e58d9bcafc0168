/// What a webhook sends.
package enum WebhookBody: Hashable, Sendable {
  /// The document of CONTRACT, webhook.
  case json
  /// The same facts, flat, as a form.
  case form
  /// Nothing: the URL carries the message.
  case none
  /// The owner's own text.
  case template(WebhookTemplate)
}
