/// A link that opens the place in a map. Source: CONTRACT, `map`; RFC 5870 for `geo`.
package enum MapLink {
  package static func url(of fix: Fix, style: MapStyle) -> String {
    let (lat, lon) = (fix.latitudeText, fix.longitudeText)
    return switch style {
    case .google: "https://maps.google.com/?q=\(lat),\(lon)"
    case .osm: "https://www.openstreetmap.org/?mlat=\(lat)&mlon=\(lon)#map=17/\(lat)/\(lon)"
    case .apple: "https://maps.apple.com/?ll=\(lat),\(lon)&q=\(lat),\(lon)"
    case .geo: "geo:\(lat),\(lon)"
    }
  }
}

extension Fix {
  /// Degrees with 6 decimals (11 cm) and a decimal point in every locale.
  package var latitudeText: String { JSON.fixed(latitude, decimals: 6) }
  package var longitudeText: String { JSON.fixed(longitude, decimals: 6) }
  package var coordinates: String { "\(latitudeText), \(longitudeText)" }
}
