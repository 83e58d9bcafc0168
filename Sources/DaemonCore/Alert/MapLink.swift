/// A link that opens the place in a map. Source: CONTRACT, `map`; RFC 5870 for `geo`.
package enum MapLink {
  /// Of degrees as `latitudeText` and `longitudeText` have them.
  static func url(latitude lat: String, longitude lon: String, style: MapStyle) -> String {
    let url: Words =
      switch style {
      case .google: "https://maps.google.com/?q=\(lat),\(lon)"
      case .osm: "https://www.openstreetmap.org/?mlat=\(lat)&mlon=\(lon)#map=17/\(lat)/\(lon)"
      case .apple: "https://maps.apple.com/?ll=\(lat),\(lon)&q=\(lat),\(lon)"
      case .geo: "geo:\(lat),\(lon)"
      }
    return String(url)
  }
}

extension Fix {
  /// Degrees with 6 decimals (11 cm) and a decimal point in every locale.
  package var latitudeText: String { JSON.fixed(latitude, decimals: 6) }
  package var longitudeText: String { JSON.fixed(longitude, decimals: 6) }
  package var coordinates: String { String("\(latitudeText), \(longitudeText)" as Words) }
}
