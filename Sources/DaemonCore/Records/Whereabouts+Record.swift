/// How an address stands in the store.
extension Whereabouts: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("words")
      Self.write(words, to: &json)
      json.member("near", near)
    }
  }

  init?(record: JSON?) {
    guard let record else { return nil }
    self.init(words: Self.words(record["words"]), near: NearestPlace(record: record["near"]))
    if isEmpty { return nil }
  }

  fileprivate static func write(_ words: [Language: String], to json: inout JSONWriter) {
    json.object { json in
      for language in Language.allCases {
        guard let text = words[language] else { continue }
        json.key(named: language.rawValue)
        json.string(text)
      }
    }
  }

  fileprivate static func words(_ record: JSON?) -> [Language: String] {
    var words: [Language: String] = [:]
    for language in Language.allCases { words[language] = record?[language.rawValue]?.string }
    return words
  }
}

extension NearestPlace: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("name", name)
      json.member("region", region)
      json.key("country")
      Whereabouts.write(country, to: &json)
      json.member("metres", distance, decimals: 0)
      json.member("direction", direction)
    }
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
