package struct Dutch: Phrases {
  package init() {}

  package let wearer = "De persoon met het apparaat"
  package let unknown = "onbekend"
  package let addressUnknown = "adres onbekend"
  package let positionUnknown = "positie onbekend"
  package let positionImplausible = "positie onbekend (de gps-ontvanger meldde een ongeloofwaardige plaats)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) heeft op de noodknop gedrukt en heeft hulp nodig."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) heeft opnieuw op de noodknop gedrukt en heeft hulp nodig."
  }
  package func update(wearer: String?) -> String {
    "📍 Update: het alarm van \(object(wearer)) is nog steeds actief."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Update: het alarm van \(object(wearer)) kwam met vertraging aan. Dit is de nieuwste informatie."
  }
  package func allClear(wearer: String?) -> String {
    "✅ Alarm voorbij: het alarm van \(object(wearer)) is op het apparaat geannuleerd. Bel bij twijfel."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 OEFENING: dit is een test van de noodknop van \(object(wearer)). Niemand heeft hulp nodig."
  }
  package let drillEnds = "🔔 OEFENING: dit was alleen een test."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) VERTRAAGD: \(subject(wearer)) heeft op de noodknop gedrukt"
    guard let at else {
      return "\(start), \(delay) voordat dit bericht kon worden verzonden; \(clockUnset)."
    }
    return "\(start) op \(at), \(delay) voordat dit bericht kon worden verzonden."
  }
  package func lateUpdate(age: String) -> String {
    "Dit bericht is vertraagd: het is \(age) geleden opgesteld."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "De gps-ontvanger meldde een ongeloofwaardige plaats, dus de positie is onbekend."
      : "Positie onbekend: gps heeft er nog geen gevonden."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Positie, \(accuracy):"
    case .past(let age): "Positie van \(age) geleden, \(accuracy):"
    case .lastKnown(let age?): "Laatst bekende positie, van \(age) geleden, \(accuracy):"
    case .lastKnown(nil): "Laatst bekende positie, onbekend van wanneer, \(accuracy):"
    }
  }
  package let deadReckoning = "Deze positie is uit de beweging berekend, niet gemeten."
  package let simulated = "Volgens de gps-ontvanger is deze positie GESIMULEERD."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
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
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "tot op ongeveer \(distance) nauwkeurig" }
  package let accuracyUnknown = "nauwkeurigheid onbekend"
  package func seconds(_ count: Int64) -> String { counted(count, "seconde", "seconden") }
  package func minutes(_ count: Int64) -> String { counted(count, "minuut", "minuten") }
  /// After a number an hour has no plural.
  package func hours(_ count: Int64) -> String { counted(count, "uur", "uur") }
  package func days(_ count: Int64) -> String { counted(count, "dag", "dagen") }

  package func address(_ address: String) -> String { "In de buurt van: \(address)" }
  package let decimalSeparator = ","
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
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
  package func percent(_ number: Int) -> String { "\(number)%" }
  package func battery(percent: String) -> String { "Batterij: \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "Voor het eerst ingedrukt" : "Ingedrukt") op \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "Voor het eerst ingedrukt" : "Ingedrukt") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: String?) -> String { "\(before(delay)) (\(clockUnset))" }
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "jan.", "feb.", "mrt.", "apr.", "mei", "juni", "juli", "aug.", "sep.", "okt.", "nov.", "dec.",
    ]
    return "\(local.day) \(months[local.month - 1]) \(local.year) om \(local.clock) (\(zone))"
  }

  private let clockUnset = "de klok van het apparaat was niet ingesteld"
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "de persoon met het apparaat" }
  private func before(_ delay: String?) -> String { "\(delay ?? "vlak") vóór dit bericht" }
  private func counted(_ count: Int64, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }
}
