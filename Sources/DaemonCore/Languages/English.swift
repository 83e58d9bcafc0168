package struct English: Phrases {
  package init() {}

  package let wearer = "The wearer"
  package let unknown = "unknown"
  package let addressUnknown = "address unknown"
  package let positionUnknown = "position unknown"
  package let positionImplausible = "position unknown (the GPS receiver reported an implausible place)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) pressed the panic button and needs help."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) pressed the panic button again and needs help."
  }
  package func update(wearer: String?) -> String {
    "📍 Update: \(possessive(wearer)) alarm is still on."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Update: \(possessive(wearer)) alarm reached you late. Here is the latest."
  }
  package func allClear(wearer: String?) -> String {
    "✅ All clear: \(possessive(wearer)) alarm was cancelled on the device. If you are not sure, call."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 DRILL: this is a test of \(possessive(wearer)) panic button. Nobody needs help."
  }
  package let drillEnds = "🔔 DRILL: this was only a test."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) LATE: \(subject(wearer)) pressed the panic button"
    guard let at else {
      return "\(start) \(delay) before this message could be sent; the device's clock was not set."
    }
    return "\(start) at \(at), \(delay) before this message could be sent."
  }
  package func lateUpdate(age: String) -> String {
    "This message is late: it was made \(age) ago."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "The GPS receiver reported an implausible place, so the position is unknown."
      : "Position unknown: GPS has not found one yet."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Position, \(accuracy):"
    case .past(let age): "Position as of \(age) ago, \(accuracy):"
    case .lastKnown(let age?): "Last known position, \(age) old, \(accuracy):"
    case .lastKnown(nil): "Last known position, age unknown, \(accuracy):"
    }
  }
  package let deadReckoning = "This position was computed from movement, not measured."
  package let simulated = "The GPS receiver says that this position is SIMULATED."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
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
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "within about \(distance)" }
  package let accuracyUnknown = "accuracy unknown"
  package func seconds(_ count: Int64) -> String { counted(count, "second") }
  package func minutes(_ count: Int64) -> String { counted(count, "minute") }
  package func hours(_ count: Int64) -> String { counted(count, "hour") }
  package func days(_ count: Int64) -> String { counted(count, "day") }

  package func address(_ address: String) -> String { "Near: \(address)" }
  package let decimalSeparator = "."
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
    "\(distance) \(direction.rawValue) of \(place)"
  }
  package func percent(_ number: Int) -> String { "\(number)%" }
  package func battery(percent: String) -> String { "Battery: \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "First pressed" : "Pressed") at \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "First pressed" : "Pressed") \(before(delay)); the device's clock was not set."
  }
  package func timeUnknown(delay: String?) -> String {
    "\(before(delay)) (the device's clock was not set)"
  }
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(local.clock) (\(zone)), \(local.day) \(months[local.month - 1]) \(local.year)"
  }

  private func subject(_ name: String?) -> String { name ?? wearer }
  private func possessive(_ name: String?) -> String { "\(name ?? "the wearer")'s" }
  private func before(_ delay: String?) -> String { "\(delay ?? "just") before this message" }
  private func counted(_ count: Int64, _ unit: String) -> String {
    count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
