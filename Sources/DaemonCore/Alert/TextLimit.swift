/// How long a service lets a text be, in the unit that the service counts in.
package enum TextLimit: Hashable, Sendable {
  /// UTF-16 units: Telegram, Twilio.
  case utf16(Int)
  /// Unicode scalars: Pushover.
  case characters(Int)
  /// Bytes of UTF-8: ntfy, Signal, Matrix.
  case bytes(Int)
  /// Parts of an SMS. Source: 3GPP TS 23.038 and 23.040.
  case segments(Int)
  /// All of them hold.
  case all([TextLimit])

  package func fits(_ text: String) -> Bool {
    switch self {
    case .utf16(let most): text.utf16.count <= most
    case .characters(let most): text.unicodeScalars.count <= most
    case .bytes(let most): text.utf8.count <= most
    case .segments(let most): ShortMessage.segments(of: text) <= most
    case .all(let limits): limits.allSatisfy { $0.fits(text) }
    }
  }

  /// What tells that something was left out. The one character for it would make an SMS of half the room.
  fileprivate func ellipsis(for text: String) -> String {
    switch self {
    case .segments where ShortMessage.isPlain(text): "..."
    case .all(let limits) where limits.contains { $0.ellipsis(for: text) == "..." }: "..."
    default: "…"
    }
  }
}

extension Message {
  package func text(_ limit: TextLimit) -> String { limit.shortened(text, keeping: essentials) }
}

extension TextLimit {
  /// `text`, or where it is longer than the limit as much of it as fits beside the essentials. It ends between
  /// two characters as people see them.
  func shortened(_ text: String, keeping essentials: @autoclosure () -> [String]) -> String {
    guard !fits(text) else { return text }

    // The wearer's line comes first and may be of any length; coordinates and link are short and stay whole.
    var kept = essentials()
    if let first = kept.first {
      let others = kept.dropFirst()
      kept[0] = first.longest { fits(([$0] + others).joined(separator: "\n")) }
    }
    let tail = kept.joined(separator: "\n")
    guard fits(tail) else { return tail.longest(fits) }

    let ellipsis = self.ellipsis(for: text)
    func whole(_ start: String) -> String {
      let lines = start.split(separator: "\n").dropLast().map(String.init)
      return ([start + ellipsis] + kept.filter { !lines.contains($0) }).joined(separator: "\n")
    }
    let start = text.longest { fits(whole($0)) }
    return start.isEmpty ? tail : whole(start)
  }
}

extension String {
  /// The longest beginning of which `fits` is true, if it is true of every shorter one.
  fileprivate func longest(_ fits: (String) -> Bool) -> String {
    let ends = Array(indices.dropFirst()) + (isEmpty ? [] : [endIndex])
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high + 1) / 2
      if fits(String(self[..<ends[middle - 1]])) { low = middle } else { high = middle - 1 }
    }
    return low == 0 ? "" : String(self[..<ends[low - 1]])
  }
}

/// What an SMS can hold. Source: 3GPP TS 23.038 §6.2.1, the default alphabet and its extension table.
enum ShortMessage {
  private static let basic = Set(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
      + "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)
  private static let extended = Set("^{}\\[~]|€\u{C}".unicodeScalars)

  /// Whether it travels in seven bits a character.
  static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { basic.contains($0) || extended.contains($0) }
  }

  /// In how many parts it travels. A character of two units is never split between two parts.
  static func segments(of text: String) -> Int {
    if isPlain(text) {
      return parts(text.unicodeScalars.map { extended.contains($0) ? 2 : 1 }, alone: 160, joined: 153)
    }
    return parts(text.unicodeScalars.map { $0.value > 0xFFFF ? 2 : 1 }, alone: 70, joined: 67)
  }

  private static func parts(_ widths: [Int], alone: Int, joined: Int) -> Int {
    guard widths.reduce(0, +) > alone else { return 1 }
    var (count, used) = (1, 0)
    for width in widths {
      if used + width > joined { (count, used) = (count + 1, 0) }
      used += width
    }
    return count
  }
}
