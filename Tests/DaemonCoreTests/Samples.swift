@testable import DaemonCore

/// Messages and compositions that tests start from.
enum Sample {
  static let fix = Fix(
    latitude: -6.1754, longitude: 106.8272, accuracy: 4.1, altitude: 12, speed: 1.2, course: 84)
  static let place = PositionFact.known(fix, age: .seconds(1), lastKnown: false)
  /// 2026-11-30T02:14:07Z in Jakarta.
  static let moment = WallTime(milliseconds: 1_796_004_847_000, utcOffset: 25_200, trusted: true)
  static let unset = WallTime(milliseconds: 4_000, utcOffset: 0, trusted: false)

  static func composition(
    _ language: Language = .english, kind: MessageKind = .alert, reason: UpdateReason? = nil,
    wearer: String? = "Ayu", template: Template? = nil, position: PositionFact = place,
    battery: Int? = nil, address: String? = nil, pressedAt: WallTime = moment,
    since: Duration = .zero, to: String? = "+628110000000"
  ) -> Composition {
    Composition(
      alertID: "01J", kind: kind, reason: reason, sequence: 0,
      contact: Contact(name: "Mum", id: "mum", language: language, routes: []),
      route: Route(gateway: "g", to: to), wearer: wearer, template: template, map: .google,
      facts: Facts(
        position: position, battery: battery, address: address.map { Whereabouts(words: [language: $0]) }),
      pressedAt: pressedAt,
      sentAt: pressedAt.advanced(by: since), sincePress: since, drill: kind == .drill)
  }

  static func message(
    to: String? = "+628110000000", position: PositionFact = place, kind: MessageKind = .alert,
    text: String? = nil
  ) -> Message {
    var message = MessageComposer.compose(composition(kind: kind, position: position, to: to))
    if let text { message.text = text }
    return message
  }

  static func answer(_ status: Int, _ body: String, _ headers: [Header] = []) -> Response {
    Response(status: status, headers: headers, body: Array(body.utf8))
  }
}
