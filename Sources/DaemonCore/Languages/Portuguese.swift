/// Words and spellings that Brazil and Portugal share.
package struct Portuguese: Phrases {
  package init() {}

  package var wearer: String { "A pessoa que usa o dispositivo" }
  package var unknown: Words { "não se sabe" }
  package var addressUnknown: Words { "endereço desconhecido" }
  package var positionUnknown: Words { "posição desconhecida" }
  package var positionImplausible: Words { "posição desconhecida (o GPS indicou um lugar pouco plausível)" }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) pressionou o botão de pânico e precisa de ajuda."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) pressionou novamente o botão de pânico e precisa de ajuda."
  }
  package func update(wearer: String?) -> Words {
    "📍 Atualização: o alarme \(of(wearer)) continua ativo."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Atualização: o alarme \(of(wearer)) chegou com atraso. Esta é a informação mais recente."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ Fim do alarme: o alarme \(of(wearer)) foi cancelado no dispositivo. Em caso de dúvida, telefone."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 SIMULAÇÃO: isto é um teste do botão de pânico \(of(wearer)). Ninguém precisa de ajuda."
  }
  package var drillEnds: String { "🔔 SIMULAÇÃO: isto foi apenas um teste." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) COM ATRASO: \(subject(wearer)) pressionou o botão de pânico"
    guard let at else {
      return "\(start) \(delay) antes de esta mensagem poder ser enviada; \(clockUnset)."
    }
    return "\(start) em \(at), \(delay) antes de esta mensagem poder ser enviada."
  }
  package func lateUpdate(age: Words) -> Words {
    "Esta mensagem chega com atraso: foi preparada há \(age)."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "O GPS indicou um lugar pouco plausível, por isso a posição é desconhecida."
      : "Posição desconhecida: o GPS ainda não encontrou nenhuma."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Posição, \(accuracy):"
    case .past(let age): "Posição obtida há \(age), \(accuracy):"
    case .lastKnown(let age?): "Última posição conhecida, obtida há \(age), \(accuracy):"
    case .lastKnown(nil): "Última posição conhecida, não se sabe de quando, \(accuracy):"
    }
  }
  package var deadReckoning: String { "Esta posição foi calculada a partir do movimento, não foi medida." }
  package var simulated: String { "Segundo o GPS, esta posição é SIMULADA." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "obtida há \(age), "
      case .lastKnown(let age?): "última conhecida, obtida há \(age), "
      case .lastKnown(nil): "última conhecida, não se sabe de quando, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", calculada a partir do movimento"
      case .simulated: ", SIMULADA"
      }
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "com margem de erro de cerca de \(distance: metres)" }
  package var accuracyUnknown: Words { "precisão desconhecida" }
  package func seconds(_ count: Int64) -> Words { counted(count, "segundo") }
  package func minutes(_ count: Int64) -> Words { counted(count, "minuto") }
  package func hours(_ count: Int64) -> Words { counted(count, "hora") }
  package func days(_ count: Int64) -> Words { counted(count, "dia") }

  package func address(_ address: String) -> Words { "Perto de: \(address)" }
  package var decimalSeparator: String { "," }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
    let side =
      switch direction {
      case .north: "ao norte"
      case .northEast: "a nordeste"
      case .east: "a leste"
      case .southEast: "a sudeste"
      case .south: "ao sul"
      case .southWest: "a sudoeste"
      case .west: "a oeste"
      case .northWest: "a noroeste"
      }
    return "\(distance) \(side) de \(place)"
  }
  package func percent(_ number: Int) -> Words { "\(number)%" }
  package func battery(percent: Words) -> Words { "Bateria: \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "Pressionado pela primeira vez" : "Pressionado") em \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "Pressionado pela primeira vez" : "Pressionado") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: Words?) -> Words { "\(before(delay)) (\(clockUnset))" }
  /// The date first: before a time of day stands "à" or "às".
  package func moment(_ local: CalendarParts) -> Words {
    "\(local.day) \(Self.months[local.month - 1]) \(local.year), \(clock: local) (\(zone: local))"
  }

  private static let months = [
    "jan.", "fev.", "mar.", "abr.", "maio", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez.",
  ]
  private var clockUnset: Words { "o relógio do dispositivo não estava ajustado" }
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func of(_ name: String?) -> Words { name.map { "de \($0)" } ?? "da pessoa que usa o dispositivo" }
  private func before(_ delay: Words?) -> Words { "\(delay ?? "pouco") antes desta mensagem" }
  private func counted(_ count: Int64, _ unit: String) -> Words {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
