/// An HTTP request to make, complete. The shell adds nothing but a User-Agent.
package struct Request: Hashable, Sendable {
  package var method: String
  package var url: String
  /// In order; names as they go on the wire.
  package var headers: [Header]
  /// nil sends no body at all.
  package var body: [UInt8]?

  package init(method: String, url: String, headers: [Header] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

package struct Header: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// A line `Name: value` of an answer; the name in lower case. nil when it is no header.
  package init?(line: ArraySlice<UInt8>) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var value = line[(colon + 1)...].drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    self.init(
      String(decoding: line[..<colon].asciiLowercased, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// What a server answered.
package struct Response: Hashable, Sendable {
  package var status: Int
  /// In order, names in lower case.
  package var headers: [Header]
  /// At most `Response.bodyLimit` bytes of it.
  package var body: [UInt8]
  /// Whether there was more body than was kept; the transfer was ended there.
  package var truncated: Bool

  /// No gateway's answer is longer; more is read from nobody.
  package static let bodyLimit = 65_536

  package init(status: Int, headers: [Header] = [], body: [UInt8] = [], truncated: Bool = false) {
    self.status = status
    self.headers = headers
    self.body = body
    self.truncated = truncated
  }

  /// The first header of that name (given in lower case); nil when there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name == name }?.value
  }
}

/// Why no answer came. All of them are tried again.
package struct TransportFailure: Error, Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case resolving = "cannot resolve the name"
    case connecting = "cannot connect"
    case securing = "no trusted TLS connection"
    case timedOut = "no answer in time"
    case broken = "the connection broke"
    case misconfigured = "cannot make the request"
  }
  package var kind: Kind
  /// The library's own words without any URL; may be empty.
  package var detail: String

  package init(kind: Kind, detail: String = "") {
    self.kind = kind
    self.detail = detail
  }
}
