/// As much of a URL as a configuration needs to know. Source: RFC 3986.
enum URLText {
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
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]") else { return nil }
      return String(place[...end])
    }
    let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty else { return nil }
    if parts.count == 2 {
      guard let port = Int(parts[1]), (1...65_535).contains(port) else { return nil }
    }
    return String(host)
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || (host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E })
  }
}
