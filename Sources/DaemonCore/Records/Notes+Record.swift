/// How the facts beside the alerts stand in the store.
extension KeptPosition {
  var document: String {
    var json = JSONWriter()
    json.object { json in
      json.member("version", 1)
      json.member("fix", fix)
      json.member("seen_at", seenAt)
      json.member("boot", bootID)
      json.member("boot_ns", Int(bootTime.nanoseconds))
    }
    return json.text
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
    var json = JSONWriter()
    json.object { json in
      json.member("version", 1)
      json.member("seen", seen)
    }
    return json.text
  }

  init?(document: String) {
    guard let record = JSON(parsing: document), record["version"]?.integer == 1 else { return nil }
    self.init(seen: record["seen"]?.string)
  }
}
