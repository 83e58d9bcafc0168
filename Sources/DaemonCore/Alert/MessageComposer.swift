enum MessageComposer {
  static func compose(_ c: Composition) -> Message {
    Message(alertID: c.alertID, kind: c.kind, reason: c.reason, sequence: c.sequence, contactName: c.contact.name, contactID: c.contact.id, to: c.route.to, wearer: "", language: .english, text: "", essentials: [], pressedAt: c.pressedAt, sentAt: c.sentAt, position: c.facts.position, mapURL: nil, address: nil, battery: nil)
  }
}
