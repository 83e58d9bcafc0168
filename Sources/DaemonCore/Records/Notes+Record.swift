/// How the facts beside the alerts stand in the store.
extension KeptPosition {
  var document: String {
    JSON.fields([
      ("version", .integer(1)), ("fix", fix.record), ("seen_at", seenAt.record), ("boot", .string(bootID)),
      ("boot_ns", .integer(Int(bootTime.nanoseconds))),
    ]).encoded
  }

  /// nil when the document is damaged or of another version: then nothing is known.
  init?(document: String) {
    guard let record = JSON(parsing: document), record["version"]?.integer == 1,
      let fix = Fix(record: record["fix"]), let seenAt = WallTime(record: record["seen_at"]),
      let bootID = record["boot"]?.string, let instant = record["boot_ns"]?.integer
    else { return nil }
    self.init(
      fix: fix, seenAt: seenAt, bootID: bootID, bootTime: BootTime(nanoseconds: Int64(instant)))
  }
}

extension ButtonHistory {
  var document: String {
    JSON.fields([("version", .integer(1)), ("seen", seen.map { .string($0) } ?? .null)]).encoded
  }

  init?(document: String) {
    guard let record = JSON(parsing: document), record["version"]?.integer == 1 else { return nil }
    self.init(seen: record["seen"]?.string)
  }
}
