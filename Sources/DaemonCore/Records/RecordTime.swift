/// An instant as it is stored so that the time spent since can be told after any number of boots.
///
/// Within the boot that wrote it the instant is exact. After another boot only the time spent up to the last
/// write counts, and then the time since that boot: power-off is no time spent.
struct RecordTime: Hashable, Sendable, JSONWritable {
  var bootID: String
  var instant: BootTime
  var written: BootTime

  /// The instant on the present boot's clock, such that `now - instant` is the time spent.
  func instant(in bootID: String) -> BootTime {
    if bootID == self.bootID { return instant }
    return BootTime.zero - max(.zero, written - instant)
  }

  // Never inlined: a press writes three of them.
  @inline(never)
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("boot", bootID)
      json.member("at_ns", Int(instant.nanoseconds))
      json.member("written_ns", Int(written.nanoseconds))
    }
  }

  init(bootID: String, instant: BootTime, written: BootTime) {
    self.bootID = bootID
    self.instant = instant
    self.written = written
  }

  init?(record: JSON?) {
    guard let record, let bootID = record["boot"]?.string, let instant = record["at_ns"]?.integer,
      let written = record["written_ns"]?.integer
    else { return nil }
    self.init(
      bootID: bootID, instant: BootTime(nanoseconds: Int64(instant)),
      written: BootTime(nanoseconds: Int64(written)))
  }
}
