import func Glibc.asin
import func Glibc.atan2
import func Glibc.cos
import func Glibc.sin

/// A place on the globe, in degrees. The globe is a sphere: distances are within half a percent of the true ones.
package struct Spot: Hashable, Sendable {
  /// Degrees north, -90...90.
  package var latitude: Double
  /// Degrees east, -180...180.
  package var longitude: Double

  /// Mean radius of the earth in metres. Source: IUGG.
  static let radius = 6_371_008.8

  /// In the sea, where nobody is.
  package static let nowhere = Spot(latitude: 0, longitude: 0)

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  package init(_ fix: Fix) {
    self.init(latitude: fix.latitude, longitude: fix.longitude)
  }

  /// Metres along the surface, exact from millimetres to the other side of the world (haversine).
  package func distance(to other: Spot) -> Double {
    let northward = sin((other.latitude - latitude).radians / 2)
    let eastward = sin((other.longitude - longitude).radians / 2)
    let chord =
      northward * northward + cos(latitude.radians) * cos(other.latitude.radians) * eastward * eastward
    return 2 * Self.radius * asin(min(1, chord.squareRoot()))
  }

  /// Metres to the nearest place that differs by `degrees` of longitude, whatever its latitude; never too many.
  func distance(toMeridian degrees: Double) -> Double {
    guard degrees > 0 else { return 0 }
    // Beyond a quarter of the globe the nearest point of a meridian is the pole.
    if degrees >= 90 { return (90 - abs(latitude)).radians * Self.radius }
    return asin(min(1, cos(latitude.radians) * sin(degrees.radians))) * Self.radius
  }

  /// Metres from one parallel to another.
  static func distance(ofParallels degrees: Double) -> Double { max(0, degrees).radians * radius }

  /// Where `other` lies from here, as the crow flies.
  package func direction(to other: Spot) -> CompassPoint {
    let (from, to) = (latitude.radians, other.latitude.radians)
    let eastward = (other.longitude - longitude).radians
    let east = sin(eastward) * cos(to)
    let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(eastward)
    let turns = atan2(east, north) / .pi * 4
    return CompassPoint.allCases[(Int(turns.rounded()) + 8) % 8]
  }
}

/// Eight directions, clockwise from north.
package enum CompassPoint: String, Hashable, Sendable, CaseIterable {
  case north = "N"
  case northEast = "NE"
  case east = "E"
  case southEast = "SE"
  case south = "S"
  case southWest = "SW"
  case west = "W"
  case northWest = "NW"
}

extension Double {
  fileprivate var radians: Double { self * .pi / 180 }
}
