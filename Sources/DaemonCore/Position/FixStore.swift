/// The latest fix of every receiver, and the one that outlived the last restart.
///
/// Age is counted from arrival by the boot clock, never from what the receiver says the time is.
package struct FixStore: Sendable {
  package struct Sighting: Hashable, Sendable {
    package var fix: Fix
    package var at: BootTime
  }

  /// More receivers than anyone wears; the one silent for longest makes room.
  package static let receivers = 8
  /// A position written again only when it moved this far (metres) …
  package static let worthKeeping = 200.0
  /// … and not more often than this: SD cards wear.
  package static let keepInterval = Duration.seconds(300)

  /// Receivers whose newest fixes are at most this far apart are compared by quality, others by age.
  package static let together = Duration.seconds(5)

  /// The newest of each receiver: a few, so that to look through them is less than to find one by its hash.
  private var sightings: [(device: String, sighting: Sighting)] = []
  private var restored: KeptPosition?
  private var kept: Sighting?
  /// Whether the newest report with coordinates was of a place that cannot be.
  package private(set) var isImplausible = false
  /// Reports of any kind, for the status.
  package private(set) var reports = 0

  package init() {}

  /// A report arrived. A report without a usable place changes nothing that is known.
  package mutating func reported(_ report: GpsReport, at now: BootTime) {
    reports &+= 1
    guard report.mode >= 2, let latitude = report.latitude, let longitude = report.longitude else { return }
    guard Self.isPlausible(latitude, longitude) else {
      isImplausible = true
      return
    }
    isImplausible = false
    let sighting = Sighting(fix: Fix(report, latitude, longitude), at: now)
    if let known = sightings.firstIndex(where: { $0.device == report.device }) {
      sightings[known].sighting = sighting
      return
    }
    if sightings.count >= Self.receivers,
      let silent = sightings.indices.min(by: { sightings[$0].sighting.at < sightings[$1].sighting.at })
    {
      sightings.remove(at: silent)
    }
    sightings.append((report.device, sighting))
  }

  /// What the store held from an earlier run. A fix that has arrived since is better.
  package mutating func restore(_ position: KeptPosition) {
    restored = position
  }

  /// The newest fix of this run.
  package var newest: Sighting? {
    sightings.max { $0.sighting.at < $1.sighting.at }?.sighting
  }

  /// When the newest fix of this run arrived.
  package var newestAt: BootTime? {
    var newest: BootTime?
    for place in sightings.indices {
      let at = sightings[place].sighting.at
      newest = max(newest ?? at, at)
    }
    return newest
  }

  /// Whether there is a fix, of whatever run.
  package var hasFix: Bool { !sightings.isEmpty || restored != nil }

  /// The best that can be said of where the wearer is at `now`.
  package func position(at now: BootTime, staleAfter: Duration, clock: WallClock, bootID: String)
    -> PositionFact
  {
    let latest = newestAt ?? now
    var best: Sighting?
    for (_, sighting) in sightings {
      guard now - sighting.at <= staleAfter, latest - sighting.at <= Self.together else { continue }
      if best.map({ Self.isWorse($0, sighting) }) ?? true { best = sighting }
    }
    if let best {
      return .known(best.fix, age: max(.zero, now - best.at), lastKnown: false)
    }
    if let newest {
      return .known(newest.fix, age: max(.zero, now - newest.at), lastKnown: true)
    }
    if let restored {
      let age = restored.age(at: now, clock: clock, bootID: bootID)
      return .known(restored.fix, age: age, lastKnown: true)
    }
    return isImplausible ? .implausible : .unknown
  }

  /// The fix to write to disk now, if any: the wearer moved since the last write, and that is long enough ago.
  package mutating func worthWriting(at now: BootTime) -> Sighting? {
    // Before all else, for every report asks.
    if let kept, now - kept.at < Self.keepInterval { return nil }
    guard let newest else { return nil }
    if let kept {
      guard newest.fix.distance(to: kept.fix) > Self.worthKeeping else {
        return nil
      }
    } else if let restored, newest.fix.distance(to: restored.fix) <= Self.worthKeeping {
      // Still where the last run left off: the stop that follows writes it with its time.
      kept = Sighting(fix: restored.fix, at: now)
      return nil
    }
    kept = Sighting(fix: newest.fix, at: now)
    return newest
  }

  /// North, south, east and west of nowhere: receivers and drivers report 0,0 for "empty".
  static func isPlausible(_ latitude: Double, _ longitude: Double) -> Bool {
    guard latitude.isFinite, longitude.isFinite else { return false }
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return false }
    return abs(latitude) > 0.05 || abs(longitude) > 0.05
  }

  private static func isWorse(_ left: Sighting, _ right: Sighting) -> Bool {
    if left.fix.mode != right.fix.mode { return left.fix.mode == .twoD }
    let leftError = left.fix.accuracy ?? .infinity
    let rightError = right.fix.accuracy ?? .infinity
    if leftError != rightError { return leftError > rightError }
    return left.at < right.at
  }
}

extension Fix {
  /// The report's fields, each only where it makes sense.
  fileprivate init(_ report: GpsReport, _ latitude: Double, _ longitude: Double) {
    self.init(
      latitude: latitude, longitude: longitude, mode: report.mode >= 3 ? .threeD : .twoD,
      accuracy: report.accuracy.flatMap { $0.isFinite && $0 >= 0 && $0 < 1e6 ? $0 : nil },
      altitude: report.mode >= 3
        ? report.altitude.flatMap { $0.isFinite && abs($0) < 1e5 ? $0 : nil } : nil,
      speed: report.speed.flatMap { $0.isFinite && $0 >= 0 && $0 < 1e4 ? $0 : nil },
      course: report.course.flatMap { $0 == 360 ? 0 : (0..<360).contains($0) ? $0 : nil },
      origin: report.origin)
  }
}
