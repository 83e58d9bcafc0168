extension Message {
  /// Whether a pin on a map belongs to it: an all-clear sends nobody anywhere.
  var hasPin: Bool { kind != .allClear }

  /// Whether someone is to be woken by it: a call for help or its drill, not what follows.
  var isUrgent: Bool { kind == .alert || kind == .drill || reason == .pressedAgain }

  /// The text for a template's parameter, which may hold neither line breaks nor runs of spaces.
  func parameterText(limit: Int) -> String {
    func joined(_ text: String) -> String {
      text.split(separator: "\n").map { String($0).onOneLine(keepingIsolates: true) }.joined(separator: " | ")
    }
    let essentials = essentials
    // Essentials that have to be added come on lines of their own; the separator is two units longer.
    let room = TextLimit.utf16(limit - 2 * (essentials.count + 1))
    return joined(room.shortened(joined(text), keeping: essentials))
  }
}

extension String {
  /// Every `part` replaced. The standard library's own needs the regular expression engine.
  func replacing(_ part: String, by other: String) -> String {
    let (bytes, wanted) = (Array(utf8), Array(part.utf8))
    guard !wanted.isEmpty else { return self }
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      if bytes[index...].starts(with: wanted) {
        result += other.utf8
        index += wanted.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
