extension Message {
  /// The text, or where it is longer than `limit` UTF-16 units as much of it as fits beside the essentials.
  ///
  /// UTF-16 is what Twilio and Telegram count; for a service that counts characters it is on the safe side.
  package func text(limit: Int) -> String {
    guard text.utf16.count > limit else { return text }

    // The wearer's line comes first and may be of any length; coordinates and link are short and stay whole.
    var kept = essentials
    let others = essentials.dropFirst().reduce(0) { $0 + $1.utf16.count + 1 }
    if let first = kept.first { kept[0] = String(first.prefix(utf16: max(0, limit - others))) }
    let tail = kept.joined(separator: "\n")
    let room = limit - tail.utf16.count - 2
    guard room > 0 else { return String(tail.prefix(utf16: limit)) }

    let start = text.prefix(utf16: room)
    let lines = start.split(separator: "\n").dropLast().map(String.init)
    return ([start + "…"] + kept.filter { !lines.contains($0) }.map { $0[...] }).joined(separator: "\n")
  }
}
