/// How facts stand in the store.
extension Facts: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("position", position)
      json.member("battery", battery)
      json.member("address", address)
    }
  }

  convenience init?(record: JSON?) {
    guard let record, let position = PositionFact(record: record["position"]) else { return nil }
    self.init(
      position: position, battery: record["battery"]?.integer,
      address: record["address"].flatMap(Whereabouts.init(record:)))
  }
}

extension PositionFact: JSONWritable {
  func write(to json: inout JSONWriter) {
    switch self {
    case .known(let fix, let age, let lastKnown):
      json.object { json in
        json.member("fix", fix)
        json.member("age_ms", age.map { Int($0.wholeNanoseconds / 1_000_000) })
        json.member("last_known", lastKnown)
      }
    case .implausible: json.string("implausible")
    case .unknown: json.string("unknown")
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

extension Fix: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("lat", latitude, decimals: 9)
      json.member("lon", longitude, decimals: 9)
      json.member("mode", mode)
      json.member("accuracy", accuracy, decimals: 3)
      json.member("altitude", altitude, decimals: 3)
      json.member("speed", speed, decimals: 3)
      json.member("course", course, decimals: 3)
      json.member("origin", origin)
    }
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

extension WallTime: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("ms", Int(milliseconds))
      json.member("offset", utcOffset)
      json.member("trusted", trusted)
    }
  }

  init?(record: JSON?) {
    guard let record, let milliseconds = record["ms"]?.integer else { return nil }
    self.init(
      milliseconds: Int64(milliseconds), utcOffset: record["offset"]?.integer ?? 0,
      trusted: record["trusted"]?.bool ?? false)
  }
}
