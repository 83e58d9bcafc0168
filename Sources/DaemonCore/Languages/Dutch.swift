package struct Dutch: Phrases {
  package init() {}

  package var wearer: String { "De persoon met het apparaat" }
  package var unknown: Words { "onbekend" }
  package var addressUnknown: Words { "adres onbekend" }
  package var positionUnknown: Words { "positie onbekend" }
  package var positionImplausible: Words {
    "positie onbekend (de gps-ontvanger meldde een ongeloofwaardige plaats)"
  }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) heeft op de noodknop gedrukt en heeft hulp nodig."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) heeft opnieuw op de noodknop gedrukt en heeft hulp nodig."
  }
  package func update(wearer: String?) -> Words {
    "📍 Update: het alarm van \(object(wearer)) is nog steeds actief."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Update: het alarm van \(object(wearer)) kwam met vertraging aan. Dit is de nieuwste informatie."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ Alarm voorbij: het alarm van \(object(wearer)) is op het apparaat geannuleerd. Bel bij twijfel."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 OEFENING: dit is een test van de noodknop van \(object(wearer)). Niemand heeft hulp nodig."
  }
  package var drillEnds: String { "🔔 OEFENING: dit was alleen een test." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) VERTRAAGD: \(subject(wearer)) heeft op de noodknop gedrukt"
    guard let at else {
      return "\(start), \(delay) voordat dit bericht kon worden verzonden; \(clockUnset)."
    }
    return "\(start) op \(at), \(delay) voordat dit bericht kon worden verzonden."
  }
  package func lateUpdate(age: Words) -> Words {
    "Dit bericht is vertraagd: het is \(age) geleden opgesteld."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "De gps-ontvanger meldde een ongeloofwaardige plaats, dus de positie is onbekend."
      : "Positie onbekend: gps heeft er nog geen gevonden."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Positie, \(accuracy):"
    case .past(let age): "Positie van \(age) geleden, \(accuracy):"
    case .lastKnown(let age?): "Laatst bekende positie, van \(age) geleden, \(accuracy):"
    case .lastKnown(nil): "Laatst bekende positie, onbekend van wanneer, \(accuracy):"
    }
  }
  package var deadReckoning: String { "Deze positie is uit de beweging berekend, niet gemeten." }
  package var simulated: String { "Volgens de gps-ontvanger is deze positie GESIMULEERD." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "van \(age) geleden, "
      case .lastKnown(let age?): "laatst bekend, van \(age) geleden, "
      case .lastKnown(nil): "laatst bekend, onbekend van wanneer, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", uit de beweging berekend"
      case .simulated: ", GESIMULEERD"
      }
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "tot op ongeveer \(distance: metres) nauwkeurig" }
  package var accuracyUnknown: Words { "nauwkeurigheid onbekend" }
  package func seconds(_ count: Int64) -> Words { counted(count, "seconde", "seconden") }
  package func minutes(_ count: Int64) -> Words { counted(count, "minuut", "minuten") }
  /// After a number an hour has no plural.
  package func hours(_ count: Int64) -> Words { counted(count, "uur", "uur") }
  package func days(_ count: Int64) -> Words { counted(count, "dag", "dagen") }

  package func address(_ address: String) -> Words { "In de buurt van: \(address)" }
  package var decimalSeparator: String { "," }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
    let side =
      switch direction {
      case .north: "noorden"
      case .northEast: "noordoosten"
      case .east: "oosten"
      case .southEast: "zuidoosten"
      case .south: "zuiden"
      case .southWest: "zuidwesten"
      case .west: "westen"
      case .northWest: "noordwesten"
      }
    return "\(distance) ten \(side) van \(place)"
  }
  package func percent(_ number: Int) -> Words { "\(number)%" }
  package func battery(percent: Words) -> Words { "Batterij: \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "Voor het eerst ingedrukt" : "Ingedrukt") op \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "Voor het eerst ingedrukt" : "Ingedrukt") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: Words?) -> Words { "\(before(delay)) (\(clockUnset))" }
  package func moment(_ local: CalendarParts) -> Words {
    "\(local.day) \(Self.months[local.month - 1]) \(local.year) om \(clock: local) (\(zone: local))"
  }

  private static let months = [
    "jan.", "feb.", "mrt.", "apr.", "mei", "juni", "juli", "aug.", "sep.", "okt.", "nov.", "dec.",
  ]
  private var clockUnset: Words { "de klok van het apparaat was niet ingesteld" }
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "de persoon met het apparaat" }
  private func before(_ delay: Words?) -> Words { "\(delay ?? "vlak") vóór dit bericht" }
  private func counted(_ count: Int64, _ one: String, _ many: String) -> Words {
    "\(count) \(count == 1 ? one : many)"
  }
}
