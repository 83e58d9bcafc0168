/// A town or village on the list, and how to get from it to where it was asked for.
package struct NearestPlace: Hashable, Sendable {
  package var name: String
  /// The country's part that it lies in: a state, a province; nil where there is none.
  package var region: String?
  /// The country's name in the languages that the list has.
  package var country: [Language: String]
  /// Metres from the place, 0 or more.
  package var distance: Double
  /// Where the spot that was asked for lies from the place.
  package var direction: CompassPoint

  package init(
    name: String, region: String? = nil, country: [Language: String], distance: Double,
    direction: CompassPoint
  ) {
    self.name = name
    self.region = region
    self.country = country
    self.distance = distance
    self.direction = direction
  }
}
