/// Words that every Spanish-speaking country has; it addresses nobody as "tú" or "vos".
package struct Spanish: Phrases {
  package init() {}

  package var wearer: String { "La persona que lleva el dispositivo" }
  package var unknown: Words { "se desconoce" }
  package var addressUnknown: Words { "dirección desconocida" }
  package var positionUnknown: Words { "posición desconocida" }
  package var positionImplausible: Words {
    "posición desconocida (el receptor GPS indicó un lugar inverosímil)"
  }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) ha pulsado el botón de pánico y necesita ayuda."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) ha vuelto a pulsar el botón de pánico y necesita ayuda."
  }
  package func update(wearer: String?) -> Words {
    "📍 Actualización: la alarma de \(object(wearer)) sigue activa."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Actualización: la alarma de \(object(wearer)) llegó con retraso. Esta es la información más reciente."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ Fin de la alarma: la alarma de \(object(wearer)) se canceló en el dispositivo. En caso de duda, llame."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 SIMULACRO: esto es una prueba del botón de pánico de \(object(wearer)). Nadie necesita ayuda."
  }
  package var drillEnds: String { "🔔 SIMULACRO: esto fue solo una prueba." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) CON RETRASO: \(subject(wearer)) pulsó el botón de pánico"
    guard let at else {
      return "\(start) \(delay) antes de que se pudiera enviar este mensaje; \(clockUnset)."
    }
    return "\(start) el \(at), \(delay) antes de que se pudiera enviar este mensaje."
  }
  package func lateUpdate(age: Words) -> Words {
    "Este mensaje llega con retraso: se preparó hace \(age)."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "El receptor GPS indicó un lugar inverosímil, por lo que se desconoce la posición."
      : "Posición desconocida: el GPS todavía no ha encontrado ninguna."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Posición, \(accuracy):"
    case .past(let age): "Posición de hace \(age), \(accuracy):"
    case .lastKnown(let age?): "Última posición conocida, de hace \(age), \(accuracy):"
    case .lastKnown(nil): "Última posición conocida, de antigüedad desconocida, \(accuracy):"
    }
  }
  package var deadReckoning: String { "Esta posición se calculó a partir del movimiento, no se midió." }
  package var simulated: String { "Según el receptor GPS, esta posición es SIMULADA." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
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
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "con un margen de error de unos \(distance: metres)" }
  package var accuracyUnknown: Words { "precisión desconocida" }
  package func seconds(_ count: Int64) -> Words { counted(count, "segundo") }
  package func minutes(_ count: Int64) -> Words { counted(count, "minuto") }
  package func hours(_ count: Int64) -> Words { counted(count, "hora") }
  package func days(_ count: Int64) -> Words { counted(count, "día") }

  package func address(_ address: String) -> Words { "Cerca de: \(address)" }
  package var decimalSeparator: String { "," }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
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
  package func percent(_ number: Int) -> Words { "\(number) %" }
  package func battery(percent: Words) -> Words { "Batería: \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "Pulsado por primera vez" : "Pulsado") el \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "Pulsado por primera vez" : "Pulsado") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: Words?) -> Words { "\(before(delay)) (\(clockUnset))" }
  /// The date first: before a time of day stands "a la" or "a las".
  package func moment(_ local: CalendarParts) -> Words {
    "\(local.day) \(Self.months[local.month - 1]) \(local.year), \(clock: local) (\(zone: local))"
  }

  private static let months = [
    "ene.", "feb.", "mar.", "abr.", "may.", "jun.", "jul.", "ago.", "sept.", "oct.", "nov.", "dic.",
  ]
  private var clockUnset: Words { "el reloj del dispositivo no estaba en hora" }
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "la persona que lleva el dispositivo" }
  private func before(_ delay: Words?) -> Words { "\(delay ?? "justo") antes de este mensaje" }
  private func counted(_ count: Int64, _ unit: String) -> Words {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
