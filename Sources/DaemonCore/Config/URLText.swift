/// As much of a URL as a configuration needs to know. Source: RFC 3986.
enum URLText {
  /// With its scheme in lower case, as everyone else expects it. Source: RFC 3986 §3.1.
  static func canonical(_ url: String) -> String {
    guard let colon = url.firstIndex(of: ":") else { return url }
    return url[..<colon].lowercased() + url[colon...]
  }

  /// The host of an http or https URL, nil when it is none.
  static func host(of url: String) -> String? {
    let rest: Substring
    if url.hasPrefix("https://") {
      rest = url.dropFirst(8)
    } else if url.hasPrefix("http://") {
      rest = url.dropFirst(7)
    } else {
      return nil
    }
    guard url.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) }) else { return nil }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let host: Substring
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]") else { return nil }
      host = place[...end]
      let allowed = "[]:.0123456789abcdefABCDEF".utf8
      guard host.contains(":"), host.utf8.allSatisfy(allowed.contains) else { return nil }
    } else {
      host = place.prefix { $0 != ":" }
      let fixed = String(host).replacing("{to}", by: "")
      guard !host.isEmpty, fixed.utf8.allSatisfy(isHostByte) else { return nil }
    }
    return isPort(place[host.endIndex...]) ? String(host) : nil
  }

  /// Names and IPv4 addresses; an underscore is no host name's, but local networks have it.
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Nothing, or a colon and 1 to 65535; digits only, because `Int` would take a sign.
  private static func isPort(_ text: Substring) -> Bool {
    guard !text.isEmpty else { return true }
    let digits = text.dropFirst()
    guard text.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return Int(digits).map { (1...65_535).contains($0) } ?? false
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || (host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E })
  }
}
