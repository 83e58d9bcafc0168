package struct French: Phrases {
  package init() {}

  package let wearer = "La personne qui porte l'appareil"
  package let unknown = "non connu"
  package let addressUnknown = "adresse inconnue"
  package let positionUnknown = "position inconnue"
  package let positionImplausible = "position inconnue (le récepteur GPS a indiqué un lieu invraisemblable)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) a appuyé sur le bouton d'alarme et a besoin d'aide."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) a de nouveau appuyé sur le bouton d'alarme et a besoin d'aide."
  }
  package func update(wearer: String?) -> String {
    "📍 Mise à jour : l'alarme \(of(wearer)) est toujours en cours."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Mise à jour : l'alarme \(of(wearer)) est arrivée en retard. Voici les dernières informations."
  }
  package func allClear(wearer: String?) -> String {
    "✅ Fin d'alarme : l'alarme \(of(wearer)) a été annulée sur l'appareil. En cas de doute, appelez."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 EXERCICE : ceci est un essai du bouton d'alarme \(of(wearer)). Personne n'a besoin d'aide."
  }
  package let drillEnds = "🔔 EXERCICE : ce n'était qu'un essai."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) EN RETARD : \(subject(wearer)) a appuyé sur le bouton d'alarme"
    guard let at else {
      return "\(start) \(delay) avant que ce message puisse être envoyé ; \(clockUnset)."
    }
    return "\(start) le \(at), \(delay) avant que ce message puisse être envoyé."
  }
  package func lateUpdate(age: String) -> String {
    "Ce message est en retard : il a été préparé il y a \(age)."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "Le récepteur GPS a indiqué un lieu invraisemblable, la position est donc inconnue."
      : "Position inconnue : le GPS n'en a pas encore trouvé."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Position, \(accuracy) :"
    case .past(let age): "Position relevée il y a \(age), \(accuracy) :"
    case .lastKnown(let age?): "Dernière position connue, relevée il y a \(age), \(accuracy) :"
    case .lastKnown(nil): "Dernière position connue, relevée à un moment inconnu, \(accuracy) :"
    }
  }
  package let deadReckoning = "Cette position a été calculée à partir du mouvement, elle n'a pas été mesurée."
  package let simulated = "Selon le récepteur GPS, cette position est SIMULÉE."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
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
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "à environ \(distance) près" }
  package let accuracyUnknown = "précision inconnue"
  package func seconds(_ count: Int64) -> String { counted(count, "seconde") }
  package func minutes(_ count: Int64) -> String { counted(count, "minute") }
  package func hours(_ count: Int64) -> String { counted(count, "heure") }
  package func days(_ count: Int64) -> String { counted(count, "jour") }

  package func address(_ address: String) -> String { "Près de : \(address)" }
  package let decimalSeparator = ","
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
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
      return "\(distance) \(side) \(contracted)\(place.dropFirst(article.count))"
    }
    return "\(distance) \(side) \(of(place))"
  }
  package func percent(_ number: Int) -> String { "\(number) %" }
  package func battery(percent: String) -> String { "Batterie : \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "Bouton actionné pour la première fois" : "Bouton actionné") le \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "Bouton actionné pour la première fois" : "Bouton actionné") \(before(delay)) ; \(clockUnset)."
  }
  package func timeUnknown(delay: String?) -> String { "\(before(delay)) (\(clockUnset))" }
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.",
    ]
    let day = local.day == 1 ? "1er" : "\(local.day)"
    return "\(day) \(months[local.month - 1]) \(local.year) à \(local.clock) (\(zone))"
  }

  private let clockUnset = "l'horloge de l'appareil n'était pas à l'heure"
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func before(_ delay: String?) -> String { "\(delay ?? "juste") avant ce message" }
  /// Nought is singular too.
  private func counted(_ count: Int64, _ unit: String) -> String { "\(count) \(unit)\(count < 2 ? "" : "s")" }

  /// "d'" before a vowel. Not before h and y, where it depends on the word and "de" is never misread.
  private func of(_ name: String?) -> String {
    guard let name else { return "de la personne qui porte l'appareil" }
    let isVowel = name.first.map { "aeiouàâäéèêëîïôöûüœæáíóúåø".contains($0.lowercased()) } ?? false
    return isVowel ? "d'\(name)" : "de \(name)"
  }
}
