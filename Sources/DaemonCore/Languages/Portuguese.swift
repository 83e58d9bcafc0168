/// Words and spellings that Brazil and Portugal share.
package struct Portuguese: Phrases {
  package init() {}

  package let wearer = "A pessoa que usa o dispositivo"
  package let unknown = "não se sabe"
  package let addressUnknown = "endereço desconhecido"
  package let positionUnknown = "posição desconhecida"
  package let positionImplausible = "posição desconhecida (o GPS indicou um lugar pouco plausível)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) pressionou o botão de pânico e precisa de ajuda."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) pressionou novamente o botão de pânico e precisa de ajuda."
  }
  package func update(wearer: String?) -> String {
    "📍 Atualização: o alarme \(of(wearer)) continua ativo."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Atualização: o alarme \(of(wearer)) chegou com atraso. Esta é a informação mais recente."
  }
  package func allClear(wearer: String?) -> String {
    "✅ Fim do alarme: o alarme \(of(wearer)) foi cancelado no dispositivo. Em caso de dúvida, telefone."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 SIMULAÇÃO: isto é um teste do botão de pânico \(of(wearer)). Ninguém precisa de ajuda."
  }
  package let drillEnds = "🔔 SIMULAÇÃO: isto foi apenas um teste."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) COM ATRASO: \(subject(wearer)) pressionou o botão de pânico"
    guard let at else {
      return "\(start) \(delay) antes de esta mensagem poder ser enviada; \(clockUnset)."
    }
    return "\(start) em \(at), \(delay) antes de esta mensagem poder ser enviada."
  }
  package func lateUpdate(age: String) -> String {
    "Esta mensagem chega com atraso: foi preparada há \(age)."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "O GPS indicou um lugar pouco plausível, por isso a posição é desconhecida."
      : "Posição desconhecida: o GPS ainda não encontrou nenhuma."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Posição, \(accuracy):"
    case .past(let age): "Posição obtida há \(age), \(accuracy):"
    case .lastKnown(let age?): "Última posição conhecida, obtida há \(age), \(accuracy):"
    case .lastKnown(nil): "Última posição conhecida, não se sabe de quando, \(accuracy):"
    }
  }
  package let deadReckoning = "Esta posição foi calculada a partir do movimento, não foi medida."
  package let simulated = "Segundo o GPS, esta posição é SIMULADA."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
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
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "com margem de erro de cerca de \(distance)" }
  package let accuracyUnknown = "precisão desconhecida"
  package func seconds(_ count: Int64) -> String { counted(count, "segundo") }
  package func minutes(_ count: Int64) -> String { counted(count, "minuto") }
  package func hours(_ count: Int64) -> String { counted(count, "hora") }
  package func days(_ count: Int64) -> String { counted(count, "dia") }

  package func address(_ address: String) -> String { "Perto de: \(address)" }
  package let decimalSeparator = ","
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
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
  package func percent(_ number: Int) -> String { "\(number)%" }
  package func battery(percent: String) -> String { "Bateria: \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "Pressionado pela primeira vez" : "Pressionado") em \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "Pressionado pela primeira vez" : "Pressionado") \(before(delay)); \(clockUnset)."
  }
  package func timeUnknown(delay: String?) -> String { "\(before(delay)) (\(clockUnset))" }
  /// The date first: before a time of day stands "à" or "às".
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "jan.", "fev.", "mar.", "abr.", "maio", "jun.", "jul.", "ago.", "set.", "out.", "nov.", "dez.",
    ]
    return "\(local.day) \(months[local.month - 1]) \(local.year), \(local.clock) (\(zone))"
  }

  private let clockUnset = "o relógio do dispositivo não estava ajustado"
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func of(_ name: String?) -> String { name.map { "de \($0)" } ?? "da pessoa que usa o dispositivo" }
  private func before(_ delay: String?) -> String { "\(delay ?? "pouco") antes desta mensagem" }
  private func counted(_ count: Int64, _ unit: String) -> String {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
