/// Where the wearer is in words, as far as that is known: each reader gets what suits best.
package struct Whereabouts: Hashable, Sendable {
  /// What a geocoder answered, by the language it was asked in.
  package var words: [Language: String] = [:]
  /// The nearest place of the list on the device.
  package var near: NearestPlace?

  package init(words: [Language: String] = [:], near: NearestPlace? = nil) {
    self.words = words
    self.near = near
  }

  var isEmpty: Bool { words.isEmpty && near == nil }

  /// On one line, in the reader's language where there is a choice. A street that is named in another language is
  /// worth more than the direction to a town.
  func text(in language: Language) -> String? {
    let answered = words[language] ?? Language.allCases.lazy.compactMap { words[$0] }.first
    return answered.map(\.onOneLine) ?? near?.text(in: language)
  }

  /// Whether `text(in:)` says by itself where it is measured from.
  var isMeasured: Bool { words.isEmpty && near.map { $0.distance >= NearestPlace.farFrom } ?? false }
}

extension NearestPlace {
  /// From where on distance and direction are told, metres: below that the place's own size is larger.
  static let farFrom = 1000.0

  /// `2.3 km NE of Bogor, West Java, Indonesia`, close to it `Bogor, West Java, Indonesia`.
  func text(in language: Language) -> String {
    let phrases = language.phrases
    let land = (country[language] ?? country[.english])?.onOneLine
    var parts = [name.onOneLine]
    for part in [region?.onOneLine, land] {
      if let part, !part.isEmpty, part != parts.last { parts.append(part) }
    }
    let place = parts.joined(separator: ", ")
    guard distance >= Self.farFrom else { return place }
    // Rounded before it is decided how: 9.96 km are 10 km, not 10.0 km.
    let tenths = Int((distance / 100).rounded())
    let number =
      tenths < 100
      ? "\(tenths / 10)\(phrases.decimalSeparator)\(tenths % 10)" : "\(Int((distance / 1000).rounded()))"
    return String(phrases.near(distance: "\(number) km", direction: direction, place: place))
  }
}
