extension Message {
  /// Whether a pin on a map belongs to it: an all-clear sends nobody anywhere.
  var hasPin: Bool { kind != .allClear && kind != .notice }

  /// The text for a template's parameter, which may hold neither line breaks nor runs of spaces.
  func parameterText(limit: Int) -> String {
    // A separator is two units longer than the line break it replaces.
    let breaks = text.utf8.count { $0 == UInt8(ascii: "\n") } + essentials.count + 1
    let lines = self.text(limit: limit - 2 * breaks).split(separator: "\n").map { String($0).onOneLine }
    return lines.joined(separator: " | ")
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
