/// A question to the geocoder that tells nobody where the wearer is.
package struct GeocoderProbe: Sendable {
  private let settings: GeocoderSettings
  private let service: GeocoderService
  /// nil: the server is asked how it is, and for no address.
  private let question: GeocoderQuestion?

  /// In Greenwich, where nobody lives.
  private static let observatory = Spot(latitude: 51.4779, longitude: -0.0015)

  /// nil where the list on the device is asked alone.
  package init?(_ settings: GeocoderSettings) {
    guard let service = settings.service else { return nil }
    self.settings = settings
    self.service = service
    // To the public Nominatim every address that is asked for periodically is bulk geocoding, which it does not
    // want. Elsewhere a key or a quota shows with an address alone, and hosted servers have nothing else.
    // Source: operations.osmfoundation.org/policies/nominatim; photon.komoot.io, "a reasonable limit".
    let server = settings.url.hasSuffix("/") ? settings.url.dropLast() : settings.url[...]
    let isNominatimItself = service == .nominatim && server.lowercased() == service.publicURL
    question =
      isNominatimItself
      ? nil : GeocoderQuestion(spot: Self.observatory, accuracy: nil, language: .english)
  }

  /// Unlike a gateway's, which has no space.
  package var name: String { "addresses by \(service.rawValue)" }

  /// Source: nominatim.org, "Status".
  var request: Request {
    question?.request(service, settings) ?? settings.request("status", "format=json", .english)
  }

  /// What is wrong; nil when all is well.
  func problem(in response: Response) -> String? {
    if let question {
      if case .failed(let reason, _) = GeocoderAnswer(response, to: question, from: service) { return reason }
      return nil
    }
    guard response.isSuccess, !response.isWebPage, let status = response.json?["status"]?.integer else {
      return response.unexplained.reason
    }
    return status == 0 ? nil : "the server reports an error (\(status))"
  }
}

extension GeocoderSettings {
  /// What `check --online` says of the list on the device; `found` is what a search for any place told.
  package func verdict(of found: Result<NearestPlace?, PlacesFile.Fault>) -> String {
    guard let trouble = trouble(of: found) else { return "list of places: answers" }
    return "list of places: warning: \(trouble); "
      + (service == nil
        ? "messages carry no address" : "messages carry an address only where the server answers")
  }

  /// nil where the list told a place.
  func trouble(of found: Result<NearestPlace?, PlacesFile.Fault>) -> String? {
    switch found {
    case .success(.some): nil
    case .success(nil): "\(places) holds no place"
    case .failure(let fault): "\(places) \(fault.sentence)"
    }
  }
}
