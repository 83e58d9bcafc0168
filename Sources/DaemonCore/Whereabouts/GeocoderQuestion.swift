/// Where somebody is, to be told in a language.
package struct GeocoderQuestion: Hashable, Sendable {
  package var spot: Spot
  /// How far off it may be, metres; nil where the receiver did not say.
  package var accuracy: Double?
  package var language: Language

  package init(spot: Spot, accuracy: Double?, language: Language) {
    self.spot = spot
    self.accuracy = accuracy
    self.language = language
  }

  /// How fine an address may be: a house is no answer where the position is off by a street.
  enum Precision: Int, Comparable {
    case town, district, street, house

    static func < (left: Precision, right: Precision) -> Bool { left.rawValue < right.rawValue }
  }

  var precision: Precision {
    switch accuracy ?? 0 {
    case ...50: .house
    case ...300: .street
    case ...2000: .district
    default: .town
    }
  }

  /// Source: nominatim.org, "Reverse Geocoding"; github.com/komoot/photon, "Reverse Geocode".
  func request(_ service: GeocoderService, _ settings: GeocoderSettings) -> Request {
    let place = "lat=\(JSON.fixed(spot.latitude, decimals: 6))&lon=\(JSON.fixed(spot.longitude, decimals: 6))"
    let query =
      switch service {
      case .nominatim: "format=jsonv2&addressdetails=0&zoom=\(zoom)&\(place)"
      case .photon: "limit=1&\(place)"
      }
    return settings.request("reverse", query, language)
  }

  /// Source: nominatim.org, "Reverse Geocoding", zoom.
  private var zoom: Int {
    switch precision {
    case .house: 18
    case .street: 16
    case .district: 14
    case .town: 10
    }
  }
}
