/// Spans of time are in the dative throughout ("vor 2 Tagen"): every sentence here, and an owner's own, says "vor" or
/// "nach".
package struct German: Phrases {
  package init() {}

  package var wearer: String { "Die Person mit dem Gerät" }
  package var unknown: Words { "unbekannt" }
  package var addressUnknown: Words { "Adresse unbekannt" }
  package var positionUnknown: Words { "Position unbekannt" }
  package var positionImplausible: Words {
    "Position unbekannt (der GPS-Empfänger hat einen unglaubwürdigen Ort gemeldet)"
  }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) hat den Notfallknopf gedrückt und braucht Hilfe."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) hat den Notfallknopf noch einmal gedrückt und braucht Hilfe."
  }
  package func update(wearer: String?) -> Words {
    "📍 Neuer Stand: Der Alarm \(of(wearer)) dauert an."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Neuer Stand: Der Alarm \(of(wearer)) kam verspätet an. Hier sind die neuesten Angaben."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ Entwarnung: Der Alarm \(of(wearer)) wurde am Gerät abgebrochen. Im Zweifel bitte anrufen."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 ÜBUNG: Dies ist ein Test des Notfallknopfs \(of(wearer)). Niemand braucht Hilfe."
  }
  package var drillEnds: String { "🔔 ÜBUNG: Das war nur ein Test." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) VERSPÄTET: \(subject(wearer)) hat den Notfallknopf"
    guard let at else {
      return "\(start) gedrückt. Diese Nachricht konnte erst nach \(delay) gesendet werden; \(clockUnset)."
    }
    return "\(start) am \(at) gedrückt. Diese Nachricht konnte erst nach \(delay) gesendet werden."
  }
  package func lateUpdate(age: Words) -> Words {
    "Diese Nachricht ist verspätet: Sie wurde vor \(age) verfasst."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "Der GPS-Empfänger hat einen unglaubwürdigen Ort gemeldet, daher ist die Position unbekannt."
      : "Position unbekannt: GPS hat noch keine gefunden."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Position, \(accuracy):"
    case .past(let age): "Position, vor \(age) ermittelt, \(accuracy):"
    case .lastKnown(let age?): "Letzte bekannte Position, vor \(age) ermittelt, \(accuracy):"
    case .lastKnown(nil): "Letzte bekannte Position, Alter unbekannt, \(accuracy):"
    }
  }
  package var deadReckoning: String { "Diese Position ist aus der Bewegung errechnet, nicht gemessen." }
  package var simulated: String { "Laut GPS-Empfänger ist diese Position SIMULIERT." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
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
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "auf etwa \(distance: metres) genau" }
  package var accuracyUnknown: Words { "Genauigkeit unbekannt" }
  package func seconds(_ count: Int64) -> Words { counted(count, "Sekunde", "Sekunden") }
  package func minutes(_ count: Int64) -> Words { counted(count, "Minute", "Minuten") }
  package func hours(_ count: Int64) -> Words { counted(count, "Stunde", "Stunden") }
  package func days(_ count: Int64) -> Words { counted(count, "Tag", "Tagen") }

  package func address(_ address: String) -> Words { "In der Nähe: \(address)" }
  package var decimalSeparator: String { "," }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
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
  package func percent(_ number: Int) -> Words { "\(number) %" }
  package func battery(percent: Words) -> Words { "Akku: \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "Zum ersten Mal gedrückt" : "Gedrückt") am \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "Zum ersten Mal gedrückt" : "Gedrückt") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: Words?) -> Words { "\(before(delay)) (\(clockUnset))" }
  package func moment(_ local: CalendarParts) -> Words {
    "\(local.day). \(Self.months[local.month - 1]) \(local.year) um \(clock: local) Uhr (\(zone: local))"
  }

  private static let months = [
    "Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez.",
  ]
  private var clockUnset: Words { "die Uhr des Geräts war nicht gestellt" }
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func of(_ name: String?) -> Words { name.map { "von \($0)" } ?? "der Person mit dem Gerät" }
  private func before(_ delay: Words?) -> Words {
    delay.map { "vor \($0), gerechnet ab dieser Nachricht" } ?? "unmittelbar vor dieser Nachricht"
  }
  private func counted(_ count: Int64, _ one: String, _ many: String) -> Words {
    "\(count) \(count == 1 ? one : many)"
  }
}
