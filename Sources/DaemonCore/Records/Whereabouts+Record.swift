/// How an address stands in the store.
extension Whereabouts {
  var record: JSON {
    .fields([
      ("words", Self.record(of: words)), ("near", near?.record ?? .null),
    ])
  }

  init?(record: JSON?) {
    guard let record else { return nil }
    self.init(words: Self.words(record["words"]), near: NearestPlace(record: record["near"]))
    if isEmpty { return nil }
  }

  fileprivate static func record(of words: [Language: String]) -> JSON {
    .fields(
      Language.allCases.compactMap { language in words[language].map { (language.rawValue, .string($0)) } })
  }

  fileprivate static func words(_ record: JSON?) -> [Language: String] {
    var words: [Language: String] = [:]
    for language in Language.allCases { words[language] = record?[language.rawValue]?.string }
    return words
  }
}

extension NearestPlace {
  var record: JSON {
    .fields([
      ("name", .string(name)), ("region", region.map { .string($0) } ?? .null),
      ("country", Whereabouts.record(of: country)), ("metres", .decimal(distance, 0)),
      ("direction", .string(direction.rawValue)),
    ])
  }

  init?(record: JSON?) {
    guard let record, let name = record["name"]?.string, let distance = record["metres"]?.double,
      (0...3e7).contains(distance),
      let direction = record["direction"]?.string.flatMap(CompassPoint.init(rawValue:))
    else { return nil }
    self.init(
      name: name, region: record["region"]?.string, country: Whereabouts.words(record["country"]),
      distance: distance,
      direction: direction)
  }
}
