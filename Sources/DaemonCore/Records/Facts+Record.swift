/// How facts stand in the store.
extension Facts {
  var record: JSON {
    .fields([
      ("position", position.record),
      ("battery", battery.map { .integer($0) } ?? .null),
      ("address", address?.record ?? .null),
    ])
  }

  init?(record: JSON?) {
    guard let record, let position = PositionFact(record: record["position"]) else { return nil }
    self.init(
      position: position, battery: record["battery"]?.integer,
      address: record["address"].flatMap(Whereabouts.init(record:)))
  }
}

extension PositionFact {
  var record: JSON {
    switch self {
    case .known(let fix, let age, let lastKnown):
      .fields([
        ("fix", fix.record), ("age_ms", age.map { .integer(Int($0.wholeNanoseconds / 1_000_000)) } ?? .null),
        ("last_known", .bool(lastKnown)),
      ])
    case .implausible: .string("implausible")
    case .unknown: .string("unknown")
    }
  }

  init?(record: JSON?) {
    guard let record else { return nil }
    switch record.string {
    case "implausible": self = .implausible
    case "unknown": self = .unknown
    default:
      guard let fix = Fix(record: record["fix"]), let lastKnown = record["last_known"]?.bool else {
        return nil
      }
      let age = record["age_ms"]?.integer.map { Duration.milliseconds($0) }
      self = .known(fix, age: age, lastKnown: lastKnown)
    }
  }
}

extension Fix {
  var record: JSON {
    .fields([
      ("lat", .decimal(latitude, 9)), ("lon", .decimal(longitude, 9)),
      ("mode", .string(mode.rawValue)), ("accuracy", accuracy.map { .decimal($0, 3) } ?? .null),
      ("altitude", altitude.map { .decimal($0, 3) } ?? .null),
      ("speed", speed.map { .decimal($0, 3) } ?? .null),
      ("course", course.map { .decimal($0, 3) } ?? .null), ("origin", .string(origin.rawValue)),
    ])
  }

  init?(record: JSON?) {
    guard let record, let latitude = record["lat"]?.double, let longitude = record["lon"]?.double,
      FixStore.isPlausible(latitude, longitude)
    else { return nil }
    self.init(
      latitude: latitude, longitude: longitude,
      mode: record["mode"]?.string.flatMap(FixMode.init(rawValue:)) ?? .twoD,
      accuracy: record["accuracy"]?.double, altitude: record["altitude"]?.double,
      speed: record["speed"]?.double, course: record["course"]?.double,
      origin: record["origin"]?.string.flatMap(FixOrigin.init(rawValue:)) ?? .measured)
  }
}

extension WallTime {
  var record: JSON {
    .fields([
      ("ms", .integer(Int(milliseconds))), ("offset", .integer(utcOffset)), ("trusted", .bool(trusted)),
    ])
  }

  init?(record: JSON?) {
    guard let record, let milliseconds = record["ms"]?.integer else { return nil }
    self.init(
      milliseconds: Int64(milliseconds), utcOffset: record["offset"]?.integer ?? 0,
      trusted: record["trusted"]?.bool ?? false)
  }
}
