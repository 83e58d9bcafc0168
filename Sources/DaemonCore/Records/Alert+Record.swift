/// How an alert stands in the store. A reader must refuse a version it does not know.
extension Alert {
  static let recordVersion = 1

  func document(identity: Engine.Identity, now: BootTime) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("version", Self.recordVersion)
      json.member("id", id)
      json.member("kind", kind)
      json.member("state", state)
      json.member("pressed_at", pressedAt)
      json.member("boot", bootID)
      json.member("pressed", RecordTime(bootID: identity.bootID, instant: pressed, written: now))
      json.member("last_press", RecordTime(bootID: identity.bootID, instant: lastPress, written: now))
      json.member("facts", facts)
    }
    return json.text
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
