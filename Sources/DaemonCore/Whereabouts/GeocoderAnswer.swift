/// What a geocoder's answer means.
package enum GeocoderAnswer: Hashable, Sendable {
  /// One line that is fit for a message.
  case address(String)
  /// It answers, and knows of no address there: at sea, for example.
  case nothing
  /// No answer that can be believed; `after` is how long the server asks to be left alone.
  case failed(reason: String, after: Duration?)
}

extension GeocoderAnswer {
  /// An answer about a place farther from the one that was asked for is another's, metres.
  static let farthest = 50_000.0
  /// Longer ones lose the parts in their middle: a message has little room. In UTF-16 units, which carriers count.
  static let longest = 120

  /// Reads whatever came back: anything may stand in it.
  package init(_ response: Response, to question: GeocoderQuestion, from service: GeocoderService) {
    guard response.isSuccess, !response.isWebPage, let json = response.json else {
      let reason = response.truncated ? "the answer is too long" : response.unexplained.reason ?? ""
      self = .failed(reason: reason, after: response.retryAfter ?? Geocoder.rest)
      return
    }
    switch service {
    case .nominatim: self.init(nominatim: json, question)
    case .photon: self.init(photon: json, question)
    }
  }

  private init(nominatim json: JSON, _ question: GeocoderQuestion) {
    if let error = json["error"] {
      // Source: Nominatim, lib-php and api: {"error":"Unable to geocode"} with status 200.
      let isNowhere = error.string.map { Array($0.utf8).asciiLowercased.holds("unable to geocode") } ?? false
      self = isNowhere ? .nothing : .failed(reason: "the server reports an error", after: Geocoder.rest)
      return
    }
    guard let name = json["display_name"]?.string else {
      self = .failed(reason: "the answer has no address", after: Geocoder.rest)
      return
    }
    self.init(
      parts: name.split(separator: ",").map(String.init), latitude: json["lat"], longitude: json["lon"],
      question)
  }

  /// Source: GeoJSON (RFC 7946) and Photon's properties.
  private init(photon json: JSON, _ question: GeocoderQuestion) {
    guard let features = json["features"]?.array else {
      self = .failed(reason: "the answer has no address", after: Geocoder.rest)
      return
    }
    guard let feature = features.first else {
      self = .nothing
      return
    }
    let properties = feature["properties"]
    func part(_ key: String) -> String? { properties?[key]?.string }
    var parts: [String?] = []
    if question.precision >= .house { parts.append(part("name")) }
    if question.precision >= .street, let street = part("street") {
      let number = question.precision >= .house ? part("housenumber").map { " \($0)" } ?? "" : ""
      parts.append(street + number)
    }
    if question.precision >= .district { parts += [part("locality"), part("district")] }
    parts += [part("city"), part("county"), part("state"), part("country")]
    let place = feature["geometry"]?["coordinates"]?.array ?? []
    self.init(
      parts: parts.compactMap { $0 }, latitude: place.count > 1 ? place[1] : nil, longitude: place.first,
      question)
  }

  private init(parts: [String], latitude: JSON?, longitude: JSON?, _ question: GeocoderQuestion) {
    if let latitude = latitude?.degrees, let longitude = longitude?.degrees {
      let away = Spot(latitude: latitude, longitude: longitude).distance(to: question.spot)
      guard away <= Self.farthest else {
        self = .failed(reason: "the answer is about another place", after: Geocoder.rest)
        return
      }
    }
    var kept: [String] = []
    for part in parts.map(\.onOneLine) where Self.isWord(part) && !kept.contains(part) { kept.append(part) }
    while kept.joined(separator: ", ").utf16.count > Self.longest, kept.count > 1 {
      kept.remove(at: max(1, kept.count - 3))
    }
    let text = String(kept.joined(separator: ", ").prefix(utf16: Self.longest)).onOneLine
    self = text.isEmpty ? .failed(reason: "the answer has no address", after: Geocoder.rest) : .address(text)
  }

  /// Whether a part tells anything: it has a letter or digit, is no markup, and no word that programs write for
  /// nothing.
  private static func isWord(_ part: String) -> Bool {
    let plain = String(decoding: part.utf8.asciiLowercased, as: UTF8.self)
    return part.contains { $0.isLetter || $0.isNumber } && !part.contains { "<>{}".contains($0) }
      && !["null", "undefined", "none", "nan", "error", "unknown", "nil"].contains(plain)
  }
}

extension JSON {
  /// A number, also where a server wrote it as text; nil where it is none or no angle.
  fileprivate var degrees: Double? {
    let number: Double? =
      switch self {
      case .number(let text), .string(let text): Double(text)
      case .null, .bool, .array, .object: nil
      }
    return number.flatMap { abs($0) <= 180 ? $0 : nil }
  }
}
