/// Which redirects are followed: those that repeat the whole request to the same server.
///
/// 301, 302 and 303 turn a POST into a GET in most clients; a captive portal's page would then pass for an
/// acceptance. Source: RFC 9110 §15.4, RFC 3986 §5.
package enum Redirect {
  /// The same request at the place that a 307 or 308 names; nil where it is not to be followed. Credentials
  /// never cross hosts: the host must be the same, and the port too but for a step from http to https on
  /// their usual ports.
  package static func target(of response: Response, from request: Request) -> Request? {
    guard response.status == 307 || response.status == 308, let location = response.header("location"),
      let base = Address(request.url), let url = base.resolving(location), let target = Address(url)
    else { return nil }

    let upgrade =
      base.scheme == "http" && target.scheme == "https" && base.port == "80" && target.port == "443"
    let same = base.scheme == target.scheme && base.port == target.port
    guard base.host == target.host, same || upgrade else { return nil }
    var repeated = request
    repeated.url = url
    return repeated
  }
}

/// The parts of an http or https URL that decide where it leads.
private struct Address {
  let scheme, authority, host, port: String
  /// Path without query, at least `/`.
  let path: String

  init?(_ url: String) {
    // Clients disagree about what these mean, and that disagreement is how a host check is fooled.
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
    let bytes = Array(url.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    scheme = String(decoding: bytes[..<colon].asciiLowercased, as: UTF8.self)
    guard scheme == "http" || scheme == "https", bytes[(colon + 1)...].starts(with: "//".utf8) else {
      return nil
    }
    let rest = bytes[(colon + 3)...]
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    authority = String(decoding: rest[..<end], as: UTF8.self)
    let server = rest[..<end].split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard server.count <= 2, let place = server.last, !place.isEmpty else { return nil }
    let bracket = place.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
    let mark = place[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? place.endIndex
    host = String(decoding: place[..<mark].asciiLowercased, as: UTF8.self)
    let given = String(decoding: place[mark...].dropFirst(), as: UTF8.self)
    port = given.isEmpty ? (scheme == "http" ? "80" : "443") : given
    let tail = rest[end...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    path = tail.isEmpty ? "/" : String(decoding: tail, as: UTF8.self)
  }

  /// The absolute URL that `reference` means here, without a fragment; userinfo is kept, as the host is checked.
  func resolving(_ reference: String) -> String? {
    let bytes = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
    let text = String(decoding: bytes, as: UTF8.self)
    guard !text.isEmpty else { return nil }
    let root = "\(scheme)://\(authority)"
    if text.hasPrefix("//") { return "\(scheme):\(text)" }
    if text.hasPrefix("/") { return root + text }
    if text.hasPrefix("?") { return root + path + text }
    let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    let delimiter = bytes.firstIndex { "/?".utf8.contains($0) }
    if let colon, delimiter.map({ colon < $0 }) ?? true { return text }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? "/"
    return root + folder + text
  }
}
