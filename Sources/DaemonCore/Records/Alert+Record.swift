/// How an alert stands in the store. A reader must refuse a version it does not know.
extension Alert {
  static let recordVersion = 1

  func document(identity: Engine.Identity, now: BootTime) -> String {
    JSON.fields([
      ("version", .integer(Self.recordVersion)), ("id", .string(id)), ("kind", .string(kind.rawValue)),
      ("state", .string(state.rawValue)), ("pressed_at", pressedAt.record), ("boot", .string(bootID)),
      ("pressed", RecordTime(bootID: identity.bootID, instant: pressed, written: now).record),
      ("last_press", RecordTime(bootID: identity.bootID, instant: lastPress, written: now).record),
      ("facts", facts.record),
    ]).encoded
  }

  /// nil when the document is damaged or of another version.
  init?(document: String, identity: Engine.Identity, now: BootTime) {
    guard let record = JSON(parsing: document), record["version"]?.integer == Self.recordVersion,
      let id = record["id"]?.string, let kind = record["kind"]?.string.flatMap(MessageKind.init(rawValue:)),
      let state = record["state"]?.string.flatMap(AlertState.init(rawValue:)),
      let pressedAt = WallTime(record: record["pressed_at"]), let boot = record["boot"]?.string,
      let pressed = RecordTime(record: record["pressed"]),
      let lastPress = RecordTime(record: record["last_press"]), let facts = Facts(record: record["facts"])
    else { return nil }
    self.init(
      id: id, kind: kind, pressed: min(pressed.instant(in: identity.bootID), now), pressedAt: pressedAt,
      bootID: boot, facts: facts, state: state, lastPress: min(lastPress.instant(in: identity.bootID), now))
  }
}
