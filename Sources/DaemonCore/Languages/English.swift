package struct English: Phrases {
  package init() {}

  package var wearer: String { "The wearer" }
  package var unknown: Words { "unknown" }
  package var addressUnknown: Words { "address unknown" }
  package var positionUnknown: Words { "position unknown" }
  package var positionImplausible: Words {
    "position unknown (the GPS receiver reported an implausible place)"
  }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) pressed the panic button and needs help."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) pressed the panic button again and needs help."
  }
  package func update(wearer: String?) -> Words {
    "📍 Update: \(object(wearer))'s alarm is still on."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Update: \(object(wearer))'s alarm reached you late. Here is the latest."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ All clear: \(object(wearer))'s alarm was cancelled on the device. If you are not sure, call."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 DRILL: this is a test of \(object(wearer))'s panic button. Nobody needs help."
  }
  package var drillEnds: String { "🔔 DRILL: this was only a test." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) LATE: \(subject(wearer)) pressed the panic button"
    guard let at else {
      return "\(start) \(delay) before this message could be sent; the device's clock was not set."
    }
    return "\(start) at \(at), \(delay) before this message could be sent."
  }
  package func lateUpdate(age: Words) -> Words {
    "This message is late: it was made \(age) ago."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "The GPS receiver reported an implausible place, so the position is unknown."
      : "Position unknown: GPS has not found one yet."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Position, \(accuracy):"
    case .past(let age): "Position as of \(age) ago, \(accuracy):"
    case .lastKnown(let age?): "Last known position, \(age) old, \(accuracy):"
    case .lastKnown(nil): "Last known position, age unknown, \(accuracy):"
    }
  }
  package var deadReckoning: String { "This position was computed from movement, not measured." }
  package var simulated: String { "The GPS receiver says that this position is SIMULATED." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "\(age) ago, "
      case .lastKnown(let age?): "last known, \(age) old, "
      case .lastKnown(nil): "last known, age unknown, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", computed from movement"
      case .simulated: ", SIMULATED"
      }
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "within about \(distance: metres)" }
  package var accuracyUnknown: Words { "accuracy unknown" }
  package func seconds(_ count: Int64) -> Words { counted(count, "second") }
  package func minutes(_ count: Int64) -> Words { counted(count, "minute") }
  package func hours(_ count: Int64) -> Words { counted(count, "hour") }
  package func days(_ count: Int64) -> Words { counted(count, "day") }

  package func address(_ address: String) -> Words { "Near: \(address)" }
  package var decimalSeparator: String { "." }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
    "\(distance) \(direction.rawValue) of \(place)"
  }
  package func percent(_ number: Int) -> Words { "\(number)%" }
  package func battery(percent: Words) -> Words { "Battery: \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "First pressed" : "Pressed") at \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "First pressed" : "Pressed") \(before(delay)); the device's clock was not set."
  }
  package func timeUnknown(delay: Words?) -> Words {
    "\(before(delay)) (the device's clock was not set)"
  }
  package func moment(_ local: CalendarParts) -> Words {
    "\(clock: local) (\(zone: local)), \(local.day) \(Self.months[local.month - 1]) \(local.year)"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "the wearer" }
  private func before(_ delay: Words?) -> Words { "\(delay ?? "just") before this message" }
  private func counted(_ count: Int64, _ unit: String) -> Words {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
