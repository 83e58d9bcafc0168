import CCurl
import DaemonCore
import Glibc

/// HTTP through libcurl's multi interface, and with it the only place where the daemon waits.
///
/// Proxy variables of the environment are honoured as libcurl does. TLS is always verified.
final class HTTPClient {
  /// Bytes of headers that are read of any answer.
  private static let headerLimit = 32_768

  private let http: OpaquePointer
  private var transfers: [OpaquePointer] = []
  private var bundles: AuthorityBundles
  /// Transfers that could not even begin; reported by the next `perform`.
  private var stillborn: [(ExchangeID, TransportFailure)] = []

  /// nil when memory is short or libcurl cannot resolve names without blocking. Bundles of authorities are made
  /// in `directory`.
  init?(bundlesIn directory: String) {
    guard sot_http_resolves_asynchronously(),
      let http = sot_http_create("soteriad/\(soteriadVersion)", Response.bodyLimit, Self.headerLimit)
    else { return nil }
    self.http = http
    bundles = AuthorityBundles(directory: directory)
  }

  deinit {
    for transfer in transfers { sot_http_abandon(http, transfer) }
    sot_http_destroy(http)
  }

  var isIdle: Bool { transfers.isEmpty && stillborn.isEmpty }

  /// Begins a transfer; `connectOnly` goes no further than the connection and its TLS.
  func start(
    _ id: ExchangeID, _ request: Request, timeout: Duration, caFile: String?, connectOnly: Bool = false
  ) {
    guard let head = request.head else {
      stillborn.append((id, TransportFailure(kind: .misconfigured, detail: "control characters in a header")))
      return
    }
    var bundle: String?
    if let caFile {
      bundle = bundles.path(with: caFile)
      guard bundle != nil else {
        stillborn.append(
          (id, TransportFailure(kind: .misconfigured, detail: "cannot read ca_file \(caFile)")))
        return
      }
    }
    let milliseconds = max(1, timeout.wholeNanoseconds / 1_000_000)
    // Safe: every pointer lives through the call, which copies what it keeps.
    let transfer = head.withUnsafeBytes { head in
      sot_http_start(
        http, UInt64(id.number), head.baseAddress, request.headers.count, request.body,
        request.body?.count ?? 0, milliseconds, bundle, connectOnly)
    }
    guard let transfer else {
      stillborn.append(
        (id, TransportFailure(kind: .misconfigured, detail: "libcurl does not take the request")))
      return
    }
    transfers.append(transfer)
  }

  /// Waits for a transfer or one of `entries`; marks the entries that are ready. `limit` nil: for ever.
  func wait(for entries: inout [sot_poll_entry], limit: Duration? = nil) {
    let nanoseconds = stillborn.isEmpty ? limit?.wholeNanoseconds ?? -1 : 0
    _ = sot_http_wait(http, &entries, entries.count, nanoseconds)
  }

  /// Lets the transfers go on and returns those that came to an end.
  func perform() -> [(ExchangeID, Result<Response, TransportFailure>)] {
    guard !isIdle else { return [] }
    var ended: [(ExchangeID, Result<Response, TransportFailure>)] = stillborn.map { ($0.0, .failure($0.1)) }
    stillborn = []
    if !transfers.isEmpty { sot_http_perform(http) }
    while let transfer = sot_http_finished(http) {
      let id = ExchangeID(number: Int(sot_transfer_id(transfer)))
      ended.append((id, outcome(of: transfer)))
      transfers.removeAll { $0 == transfer }
      sot_http_free(http, transfer)
    }
    return ended
  }

  private func outcome(of transfer: OpaquePointer) -> Result<Response, TransportFailure> {
    guard let failure = TransportFailure.Kind(sot_transfer_result(transfer)) else {
      return .success(response(of: transfer))
    }
    let words = String(cString: sot_transfer_detail(transfer))
    return .failure(TransportFailure(kind: failure, detail: words.withoutURLs))
  }

  private func response(of transfer: OpaquePointer) -> Response {
    var length = 0
    // Safe: both texts belong to the transfer, which is freed only after they were copied.
    let body = sot_transfer_body(transfer, &length).map {
      Array(UnsafeBufferPointer(start: $0, count: length))
    }
    var headLength = 0
    let head = sot_transfer_headers(transfer, &headLength)
    let lines = head.map { Array(UnsafeRawBufferPointer(start: $0, count: headLength)) } ?? []
    return Response(
      status: sot_transfer_status(transfer),
      headers: lines.split(separator: UInt8(ascii: "\n")).compactMap(Header.init(line:)),
      body: body ?? [], truncated: sot_transfer_truncated(transfer))
  }
}

extension TransportFailure.Kind {
  /// nil where there was an answer.
  fileprivate init?(_ result: sot_http_result) {
    switch result {
    case SOT_HTTP_ANSWERED: return nil
    case SOT_HTTP_RESOLVING: self = .resolving
    case SOT_HTTP_CONNECTING: self = .connecting
    case SOT_HTTP_SECURING: self = .securing
    case SOT_HTTP_TIMED_OUT: self = .timedOut
    case SOT_HTTP_MISCONFIGURED: self = .misconfigured
    default: self = .broken
    }
  }
}

extension Request {
  /// Method, URL and header lines as they go to libcurl, a zero behind each; nil where one holds a control character:
  /// libcurl sends headers as they are, and a line break in one would begin another.
  fileprivate var head: [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.append(text: method)
    bytes.append(0)
    bytes.append(text: url)
    bytes.append(0)
    for header in headers {
      bytes.append(text: header.name)
      bytes.append(text: header.value.isEmpty ? ";" : ": ")
      bytes.append(text: header.value)
      bytes.append(0)
    }
    var controls = 0
    for byte in bytes where (byte < 0x20 && byte != 0x09) || byte == 0x7F { controls += 1 }
    return controls == headers.count + 2 ? bytes : nil
  }
}

extension String {
  /// libcurl's words can quote a URL, and URLs can hold tokens; proxies can hold passwords.
  fileprivate var withoutURLs: String {
    split(separator: " ").map { $0.contains("://") || $0.contains("@") ? "…" : String($0) }
      .joined(separator: " ")
  }
}
