package struct French: Phrases {
  package init() {}

  package var wearer: String { "La personne qui porte l'appareil" }
  package var unknown: Words { "non connu" }
  package var addressUnknown: Words { "adresse inconnue" }
  package var positionUnknown: Words { "position inconnue" }
  package var positionImplausible: Words {
    "position inconnue (le récepteur GPS a indiqué un lieu invraisemblable)"
  }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) a appuyé sur le bouton d'alarme et a besoin d'aide."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) a de nouveau appuyé sur le bouton d'alarme et a besoin d'aide."
  }
  package func update(wearer: String?) -> Words {
    "📍 Mise à jour : l'alarme \(of(wearer)) est toujours en cours."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Mise à jour : l'alarme \(of(wearer)) est arrivée en retard. Voici les dernières informations."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ Fin d'alarme : l'alarme \(of(wearer)) a été annulée sur l'appareil. En cas de doute, appelez."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 EXERCICE : ceci est un essai du bouton d'alarme \(of(wearer)). Personne n'a besoin d'aide."
  }
  package var drillEnds: String { "🔔 EXERCICE : ce n'était qu'un essai." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) EN RETARD : \(subject(wearer)) a appuyé sur le bouton d'alarme"
    guard let at else {
      return "\(start) \(delay) avant que ce message puisse être envoyé ; \(clockUnset)."
    }
    return "\(start) le \(at), \(delay) avant que ce message puisse être envoyé."
  }
  package func lateUpdate(age: Words) -> Words {
    "Ce message est en retard : il a été préparé il y a \(age)."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "Le récepteur GPS a indiqué un lieu invraisemblable, la position est donc inconnue."
      : "Position inconnue : le GPS n'en a pas encore trouvé."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Position, \(accuracy) :"
    case .past(let age): "Position relevée il y a \(age), \(accuracy) :"
    case .lastKnown(let age?): "Dernière position connue, relevée il y a \(age), \(accuracy) :"
    case .lastKnown(nil): "Dernière position connue, relevée à un moment inconnu, \(accuracy) :"
    }
  }
  package var deadReckoning: String {
    "Cette position a été calculée à partir du mouvement, elle n'a pas été mesurée."
  }
  package var simulated: String { "Selon le récepteur GPS, cette position est SIMULÉE." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "relevée il y a \(age), "
      case .lastKnown(let age?): "dernière connue, relevée il y a \(age), "
      case .lastKnown(nil): "dernière connue, relevée à un moment inconnu, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", calculée à partir du mouvement"
      case .simulated: ", SIMULÉE"
      }
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "à environ \(distance: metres) près" }
  package var accuracyUnknown: Words { "précision inconnue" }
  package func seconds(_ count: Int64) -> Words { counted(count, "seconde") }
  package func minutes(_ count: Int64) -> Words { counted(count, "minute") }
  package func hours(_ count: Int64) -> Words { counted(count, "heure") }
  package func days(_ count: Int64) -> Words { counted(count, "jour") }

  package func address(_ address: String) -> Words { "Près de : \(address)" }
  package var decimalSeparator: String { "," }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
    let side =
      switch direction {
      case .north: "au nord"
      case .northEast: "au nord-est"
      case .east: "à l'est"
      case .southEast: "au sud-est"
      case .south: "au sud"
      case .southWest: "au sud-ouest"
      case .west: "à l'ouest"
      case .northWest: "au nord-ouest"
      }
    // "de" and the article of a French place are one word: "au nord du Mans".
    for (article, contracted) in [("Le ", "du "), ("Les ", "des ")] where place.hasPrefix(article) {
      return "\(distance) \(side) \(contracted)\(String(place.dropFirst(article.count)))"
    }
    return "\(distance) \(side) \(of(place))"
  }
  package func percent(_ number: Int) -> Words { "\(number) %" }
  package func battery(percent: Words) -> Words { "Batterie : \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "Bouton actionné pour la première fois" : "Bouton actionné") le \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "Bouton actionné pour la première fois" : "Bouton actionné") \(before(delay)) ; \(clockUnset)."
  }
  package func timeUnknown(delay: Words?) -> Words { "\(before(delay)) (\(clockUnset))" }
  package func moment(_ local: CalendarParts) -> Words {
    let day: Words = local.day == 1 ? "1er" : "\(local.day)"
    return "\(day) \(Self.months[local.month - 1]) \(local.year) à \(clock: local) (\(zone: local))"
  }

  private static let months = [
    "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
  ]
  private var clockUnset: Words { "l'horloge de l'appareil n'était pas à l'heure" }
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func before(_ delay: Words?) -> Words { "\(delay ?? "juste") avant ce message" }
  /// Nought is singular too.
  private func counted(_ count: Int64, _ unit: String) -> Words { "\(count) \(unit)\(count < 2 ? "" : "s")" }

  /// "d'" before a vowel. Not before h and y, where it depends on the word and "de" is never misread.
  private func of(_ name: String?) -> Words {
    guard let name else { return "de la personne qui porte l'appareil" }
    let isVowel = name.first.map { "aeiouàâäéèêëîïôöûüœæáíóúåø".contains($0.lowercased()) } ?? false
    return isVowel ? "d'\(name)" : "de \(name)"
  }
}
