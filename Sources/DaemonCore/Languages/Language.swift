/// The languages a message can be written in. Source: BCP 47 codes.
package enum Language: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case indonesian = "id"
}

extension Language {
  package var phrases: any Phrases {
    switch self {
    case .english: English()
    case .indonesian: Indonesian()
    }
  }
}
