/// A server's own words, made fit for the status and the journal.
enum ServerWords {
  /// At most 120 characters on one line, without `secrets` and without any number of five digits or more:
  /// a server likes to repeat the address, and may repeat the position.
  static func fit(_ text: String, secrets: [String]) -> String {
    let clean = secrets.reduce(text.onOneLine) { $0.replacing($1, by: "***") }
    let masked = String(decoding: maskingNumbers(Array(clean.utf8)), as: UTF8.self)
    return masked.count > 120 ? String(masked.prefix(119)) + "…" : masked
  }

  /// Digits with up to two of ` +-.,()` between them are one number.
  private static func maskingNumbers(_ bytes: [UInt8]) -> [UInt8] {
    func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    var (result, index): ([UInt8], Int) = ([], 0)
    while index < bytes.count {
      guard isDigit(bytes[index]) else {
        result.append(bytes[index])
        index += 1
        continue
      }
      var (end, digits, gap) = (index, 0, 0)
      for place in index..<bytes.count {
        if isDigit(bytes[place]) {
          (end, digits, gap) = (place + 1, digits + 1, 0)
        } else if gap < 2, " +-.,()".utf8.contains(bytes[place]) {
          gap += 1
        } else {
          break
        }
      }
      if digits >= 5 { result += "…".utf8 } else { result += bytes[index..<end] }
      index = end
    }
    return result
  }
}
