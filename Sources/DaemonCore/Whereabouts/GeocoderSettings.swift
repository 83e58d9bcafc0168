/// Where addresses come from.
package struct GeocoderSettings: Hashable, Sendable {
  /// nil: the list on the device alone.
  package var service: GeocoderService?
  /// The service's base address; may hold a key.
  package var url = ""
  /// How the operators of the service can reach the owner.
  package var contact: String?
  /// How long a message may wait for an address, from the button's going down.
  package var deadline = Duration.seconds(2)
  /// The list on the device, of the package soteriad-places.
  package var places = GeocoderSettings.defaultPlaces

  package static let defaultPlaces = "/usr/share/soteriad-places/places"

  package init() {}

  func request(_ path: String, _ query: String, _ language: Language) -> Request {
    let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let base = parts.first.map { $0.hasSuffix("/") ? $0.dropLast() : $0 } ?? ""
    let own = parts.count == 2 && !parts[1].isEmpty ? "\(parts[1])&" : ""
    // Both rules of use want to know who asks: one who is named can be told, one who is not is shut out.
    let agent = "soteriad/\(soteriadVersion)" + (contact.map { " (\($0))" } ?? "")
    return Request(
      method: "GET", url: "\(base)/\(path)?\(own)\(query)",
      headers: [
        Header("User-Agent", agent), Header("Accept", "application/json"),
        Header("Accept-Language", language.rawValue),
      ])
  }
}

/// The kinds of server that are asked. Source: their documentation of reverse geocoding.
package enum GeocoderService: String, Hashable, Sendable, CaseIterable {
  case nominatim
  case photon

  /// The public one, whose rules ask for a contact.
  var publicURL: String {
    switch self {
    case .nominatim: "https://nominatim.openstreetmap.org"
    case .photon: "https://photon.komoot.io"
    }
  }
}

/// `type` in the file.
enum GeocoderType: String, CaseIterable {
  case none, places, nominatim, photon

  var service: GeocoderService? { GeocoderService(rawValue: rawValue) }
}
