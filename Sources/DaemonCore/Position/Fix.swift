/// A plausible place: finite coordinates in range, not the empty 0,0. Everything else is optional.
///
/// Made only by `FixStore` and from storage. Source of the fields: gps.h `struct gps_fix_t`.
package struct Fix: Hashable, Sendable {
  /// Degrees north, -90...90.
  package var latitude: Double
  /// Degrees east, -180...180.
  package var longitude: Double
  package var mode: FixMode
  /// Estimated horizontal error (`eph`) in metres; nil when the receiver gave none.
  package var accuracy: Double?
  /// Metres above mean sea level (`altMSL`); nil when unknown.
  package var altitude: Double?
  /// Metres a second; nil when unknown.
  package var speed: Double?
  /// Degrees from true north, 0..<360; nil when unknown.
  package var course: Double?
  /// How the receiver came by it, where that must be told.
  package var origin: FixOrigin

  package init(
    latitude: Double, longitude: Double, mode: FixMode = .threeD, accuracy: Double? = nil,
    altitude: Double? = nil, speed: Double? = nil, course: Double? = nil, origin: FixOrigin = .measured
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.mode = mode
    self.accuracy = accuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.origin = origin
  }
}

/// How many dimensions the fix has. Source: gps.h MODE_2D, MODE_3D.
package enum FixMode: String, Hashable, Sendable {
  case twoD = "2d"
  case threeD = "3d"
}

/// Source: gps.h STATUS_DR, STATUS_GNSSDR, STATUS_SIM.
package enum FixOrigin: String, Hashable, Sendable {
  case measured
  /// Computed from movement since the last measurement.
  case deadReckoning
  /// The receiver says that it is a simulator.
  case simulated
}

/// One position report as gpsd gave it, checked for nothing but being a report: NaN has become nil.
package struct GpsReport: Hashable, Sendable {
  /// The receiver's device path; empty when gpsd did not say.
  package var device: String
  /// 0 unknown, 1 no fix, 2 2D, 3 3D. Source: gps.h MODE_*.
  package var mode: Int
  package var latitude: Double?
  package var longitude: Double?
  package var accuracy: Double?
  package var altitude: Double?
  package var speed: Double?
  package var course: Double?
  package var origin: FixOrigin
  /// What the receiver says the time is, in seconds since 1970; nil when it gave none. Never used for age.
  package var receiverTime: Double?

  package init(
    device: String = "", mode: Int, latitude: Double? = nil, longitude: Double? = nil,
    accuracy: Double? = nil, altitude: Double? = nil, speed: Double? = nil, course: Double? = nil,
    origin: FixOrigin = .measured, receiverTime: Double? = nil
  ) {
    self.device = device
    self.mode = mode
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.origin = origin
    self.receiverTime = receiverTime
  }
}
