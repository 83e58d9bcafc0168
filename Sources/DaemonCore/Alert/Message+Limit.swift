extension Message {
  /// The text in at most `limit` UTF-16 units: what Twilio and Telegram count; for a service that counts
  /// characters it is on the safe side.
  package func text(limit: Int) -> String { text(.utf16(limit)) }
}
