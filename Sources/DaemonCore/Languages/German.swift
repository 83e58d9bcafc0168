/// Spans of time are in the dative throughout ("vor 2 Tagen"): every sentence here, and an owner's own, says "vor" or
/// "nach".
package struct German: Phrases {
  package init() {}

  package let wearer = "Die Person mit dem Gerät"
  package let unknown = "unbekannt"
  package let addressUnknown = "Adresse unbekannt"
  package let positionUnknown = "Position unbekannt"
  package let positionImplausible =
    "Position unbekannt (der GPS-Empfänger hat einen unglaubwürdigen Ort gemeldet)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) hat den Notfallknopf gedrückt und braucht Hilfe."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) hat den Notfallknopf noch einmal gedrückt und braucht Hilfe."
  }
  package func update(wearer: String?) -> String {
    "📍 Neuer Stand: Der Alarm \(of(wearer)) dauert an."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Neuer Stand: Der Alarm \(of(wearer)) kam verspätet an. Hier sind die neuesten Angaben."
  }
  package func allClear(wearer: String?) -> String {
    "✅ Entwarnung: Der Alarm \(of(wearer)) wurde am Gerät abgebrochen. Im Zweifel bitte anrufen."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 ÜBUNG: Dies ist ein Test des Notfallknopfs \(of(wearer)). Niemand braucht Hilfe."
  }
  package let drillEnds = "🔔 ÜBUNG: Das war nur ein Test."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) VERSPÄTET: \(subject(wearer)) hat den Notfallknopf"
    guard let at else {
      return "\(start) gedrückt. Diese Nachricht konnte erst nach \(delay) gesendet werden; \(clockUnset)."
    }
    return "\(start) am \(at) gedrückt. Diese Nachricht konnte erst nach \(delay) gesendet werden."
  }
  package func lateUpdate(age: String) -> String {
    "Diese Nachricht ist verspätet: Sie wurde vor \(age) verfasst."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "Der GPS-Empfänger hat einen unglaubwürdigen Ort gemeldet, daher ist die Position unbekannt."
      : "Position unbekannt: GPS hat noch keine gefunden."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Position, \(accuracy):"
    case .past(let age): "Position, vor \(age) ermittelt, \(accuracy):"
    case .lastKnown(let age?): "Letzte bekannte Position, vor \(age) ermittelt, \(accuracy):"
    case .lastKnown(nil): "Letzte bekannte Position, Alter unbekannt, \(accuracy):"
    }
  }
  package let deadReckoning = "Diese Position ist aus der Bewegung errechnet, nicht gemessen."
  package let simulated = "Laut GPS-Empfänger ist diese Position SIMULIERT."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "vor \(age) ermittelt, "
      case .lastKnown(let age?): "letzte bekannte, vor \(age) ermittelt, "
      case .lastKnown(nil): "letzte bekannte, Alter unbekannt, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", aus der Bewegung errechnet"
      case .simulated: ", SIMULIERT"
      }
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "auf etwa \(distance) genau" }
  package let accuracyUnknown = "Genauigkeit unbekannt"
  package func seconds(_ count: Int64) -> String { counted(count, "Sekunde", "Sekunden") }
  package func minutes(_ count: Int64) -> String { counted(count, "Minute", "Minuten") }
  package func hours(_ count: Int64) -> String { counted(count, "Stunde", "Stunden") }
  package func days(_ count: Int64) -> String { counted(count, "Tag", "Tagen") }

  package func address(_ address: String) -> String { "In der Nähe: \(address)" }
  package let decimalSeparator = ","
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
    let side =
      switch direction {
      case .north: "nördlich"
      case .northEast: "nordöstlich"
      case .east: "östlich"
      case .southEast: "südöstlich"
      case .south: "südlich"
      case .southWest: "südwestlich"
      case .west: "westlich"
      case .northWest: "nordwestlich"
      }
    return "\(distance) \(side) von \(place)"
  }
  package func percent(_ number: Int) -> String { "\(number) %" }
  package func battery(percent: String) -> String { "Akku: \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "Zum ersten Mal gedrückt" : "Gedrückt") am \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "Zum ersten Mal gedrückt" : "Gedrückt") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: String?) -> String { "\(before(delay)) (\(clockUnset))" }
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.",
    ]
    return "\(local.day). \(months[local.month - 1]) \(local.year) um \(local.clock) Uhr (\(zone))"
  }

  private let clockUnset = "die Uhr des Geräts war nicht gestellt"
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func of(_ name: String?) -> String { name.map { "von \($0)" } ?? "der Person mit dem Gerät" }
  private func before(_ delay: String?) -> String {
    delay.map { "vor \($0), gerechnet ab dieser Nachricht" } ?? "unmittelbar vor dieser Nachricht"
  }
  private func counted(_ count: Int64, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
