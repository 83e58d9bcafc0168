/// Everything that the text of one message is made from, at one try.
package struct Composition: Equatable, Sendable {
  package var alertID: String
  package var kind: MessageKind
  package var reason: UpdateReason?
  package var sequence: Int
  package var contact: Contact
  package var route: Route
  /// nil: the text says "the wearer" in the contact's language.
  package var wearer: String?
  package var template: Template?
  package var map: MapStyle
  /// The facts of the alert, or of the update.
  package var facts: Facts
  package var pressedAt: WallTime
  package var sentAt: WallTime
  /// Time from the press to this try, exact even where the wall clock is wrong.
  package var sincePress: Duration
  /// Whether the message is a part of a drill (an all-clear of a drill is one too).
  package var drill: Bool
  /// Time from the gathering of `facts` to this try; nil: that of the press for an alert, none for the rest.
  package var sinceFacts: Duration?

  package init(
    alertID: String, kind: MessageKind, reason: UpdateReason?, sequence: Int, contact: Contact, route: Route,
    wearer: String?, template: Template?, map: MapStyle, facts: Facts, pressedAt: WallTime,
    sentAt: WallTime, sincePress: Duration, drill: Bool, sinceFacts: Duration? = nil
  ) {
    self.alertID = alertID
    self.kind = kind
    self.reason = reason
    self.sequence = sequence
    self.contact = contact
    self.route = route
    self.wearer = wearer
    self.template = template
    self.map = map
    self.facts = facts
    self.pressedAt = pressedAt
    self.sentAt = sentAt
    self.sincePress = sincePress
    self.drill = drill
    self.sinceFacts = sinceFacts
  }
}
