/// The languages a message can be written in. Source: BCP 47 codes.
package enum Language: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case indonesian = "id"
  case spanish = "es"
  case portuguese = "pt"
  case french = "fr"
  case german = "de"
  case dutch = "nl"
}

extension Language {
  package var phrases: any Phrases {
    switch self {
    case .english: English()
    case .indonesian: Indonesian()
    case .spanish: Spanish()
    case .portuguese: Portuguese()
    case .french: French()
    case .german: German()
    case .dutch: Dutch()
    }
  }
}
