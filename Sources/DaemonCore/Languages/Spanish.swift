/// Words that every Spanish-speaking country has; it addresses nobody as "tú" or "vos".
package struct Spanish: Phrases {
  package init() {}

  package let wearer = "La persona que lleva el dispositivo"
  package let unknown = "se desconoce"
  package let addressUnknown = "dirección desconocida"
  package let positionUnknown = "posición desconocida"
  package let positionImplausible = "posición desconocida (el receptor GPS indicó un lugar inverosímil)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) ha pulsado el botón de pánico y necesita ayuda."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) ha vuelto a pulsar el botón de pánico y necesita ayuda."
  }
  package func update(wearer: String?) -> String {
    "📍 Actualización: la alarma de \(object(wearer)) sigue activa."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Actualización: la alarma de \(object(wearer)) llegó con retraso. Esta es la información más reciente."
  }
  package func allClear(wearer: String?) -> String {
    "✅ Fin de la alarma: la alarma de \(object(wearer)) se canceló en el dispositivo. En caso de duda, llame."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 SIMULACRO: esto es una prueba del botón de pánico de \(object(wearer)). Nadie necesita ayuda."
  }
  package let drillEnds = "🔔 SIMULACRO: esto fue solo una prueba."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) CON RETRASO: \(subject(wearer)) pulsó el botón de pánico"
    guard let at else {
      return "\(start) \(delay) antes de que se pudiera enviar este mensaje; \(clockUnset)."
    }
    return "\(start) el \(at), \(delay) antes de que se pudiera enviar este mensaje."
  }
  package func lateUpdate(age: String) -> String {
    "Este mensaje llega con retraso: se preparó hace \(age)."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "El receptor GPS indicó un lugar inverosímil, por lo que se desconoce la posición."
      : "Posición desconocida: el GPS todavía no ha encontrado ninguna."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Posición, \(accuracy):"
    case .past(let age): "Posición de hace \(age), \(accuracy):"
    case .lastKnown(let age?): "Última posición conocida, de hace \(age), \(accuracy):"
    case .lastKnown(nil): "Última posición conocida, de antigüedad desconocida, \(accuracy):"
    }
  }
  package let deadReckoning = "Esta posición se calculó a partir del movimiento, no se midió."
  package let simulated = "Según el receptor GPS, esta posición es SIMULADA."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "de hace \(age), "
      case .lastKnown(let age?): "última conocida, de hace \(age), "
      case .lastKnown(nil): "última conocida, de antigüedad desconocida, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", calculada a partir del movimiento"
      case .simulated: ", SIMULADA"
      }
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "con un margen de error de unos \(distance)" }
  package let accuracyUnknown = "precisión desconocida"
  package func seconds(_ count: Int64) -> String { counted(count, "segundo") }
  package func minutes(_ count: Int64) -> String { counted(count, "minuto") }
  package func hours(_ count: Int64) -> String { counted(count, "hora") }
  package func days(_ count: Int64) -> String { counted(count, "día") }

  package func address(_ address: String) -> String { "Cerca de: \(address)" }
  package let decimalSeparator = ","
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
    let side =
      switch direction {
      case .north: "norte"
      case .northEast: "noreste"
      case .east: "este"
      case .southEast: "sureste"
      case .south: "sur"
      case .southWest: "suroeste"
      case .west: "oeste"
      case .northWest: "noroeste"
      }
    return "\(distance) al \(side) de \(place)"
  }
  package func percent(_ number: Int) -> String { "\(number) %" }
  package func battery(percent: String) -> String { "Batería: \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "Pulsado por primera vez" : "Pulsado") el \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "Pulsado por primera vez" : "Pulsado") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: String?) -> String { "\(before(delay)) (\(clockUnset))" }
  /// The date first: before a time of day stands "a la" or "a las".
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "ene.", "feb.", "mar.", "abr.", "may.", "jun.", "jul.", "ago.", "sept.", "oct.", "nov.", "dic.",
    ]
    return "\(local.day) \(months[local.month - 1]) \(local.year), \(local.clock) (\(zone))"
  }

  private let clockUnset = "el reloj del dispositivo no estaba en hora"
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "la persona que lleva el dispositivo" }
  private func before(_ delay: String?) -> String { "\(delay ?? "justo") antes de este mensaje" }
  private func counted(_ count: Int64, _ unit: String) -> String {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
