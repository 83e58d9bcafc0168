import func Glibc.cos

extension Fix {
  /// Metres to `other`, on a sphere and for short ways: within one percent below 100 km, never too small to
  /// notice a real move beyond that.
  package func distance(to other: Fix) -> Double {
    let metresPerDegree = 111_195.0
    var east = other.longitude - longitude
    if east > 180 { east -= 360 }
    if east < -180 { east += 360 }
    let northward = (other.latitude - latitude) * metresPerDegree
    let eastward = east * metresPerDegree * cos((latitude + other.latitude) / 2 * .pi / 180)
    return (northward * northward + eastward * eastward).squareRoot()
  }
}
