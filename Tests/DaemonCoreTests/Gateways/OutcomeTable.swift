import Testing

@testable import DaemonCore

/// One answer of a service, what it has to be taken for, and who says so.
struct OutcomeRow: Sendable, CustomTestStringConvertible {
  /// What every table has to hold at least once, or say why not.
  enum Kind: String, CaseIterable, Sendable {
    case success, error, rateLimit, credentials, recipient, unknown, portal, empty, truncated
  }

  enum Verdict: Equatable, Sendable {
    case strong, weak, refused
    /// After as many seconds as the service asks; nil where it does not.
    case retry(Int64?)

    static let later = Verdict.retry(nil)

    init(_ outcome: Outcome) {
      switch outcome {
      case .accepted(let acceptance): self = acceptance.strong ? .strong : .weak
      case .retry(_, let after): self = .retry(after?.wholeSeconds)
      case .refused: self = .refused
      }
    }
  }

  let kind: Kind
  let status: Int
  let body: String
  let verdict: Verdict
  /// The page that documents it, or the peer that it was recorded from.
  let source: String
  var headers: [Header] = []
  /// The step that is answered.
  var step = "text"
  var isTruncated = false

  init(
    _ kind: Kind, _ status: Int, _ body: String, _ verdict: Verdict, _ source: String,
    headers: [Header] = [], step: String = "text", isTruncated: Bool = false
  ) {
    self.kind = kind
    self.status = status
    self.body = body
    self.verdict = verdict
    self.source = source
    self.headers = headers
    self.step = step
    self.isTruncated = isTruncated
  }

  var testDescription: String { "\(kind) \(status) \(body.prefix(60))" }

  var response: Response {
    Response(status: status, headers: headers, body: Array(body.utf8), truncated: isTruncated)
  }

  /// What the service never said: others between here and there, and answers that broke off.
  /// `success` is the body that would be an acceptance, with its status; nil where the status alone is one.
  static func broken(_ status: Int, _ success: String?) -> [OutcomeRow] {
    let html = [Header("content-type", "text/html; charset=utf-8")]
    let page = "<!DOCTYPE html><html><title>Sign in</title><form action=login></form></html>"
    let rows = [
      OutcomeRow(
        .portal, 302, "", .later, "RFC 8952 §1: a captive portal redirects to its page",
        headers: [Header("location", "http://10.0.0.1/login")]),
      OutcomeRow(
        .portal, 307, "", .later, "RFC 8952 §1; the redirect was not followed: another host",
        headers: [Header("location", "http://10.0.0.1/login")]),
      OutcomeRow(
        .portal, 302, page, .later, "RFC 8952 §1: the redirect with a page of its own",
        headers: html + [Header("location", "https://login.example/?from=x")]),
      OutcomeRow(.portal, 200, page, .later, "RFC 8952 §1: or answers in the server's place", headers: html),
      OutcomeRow(.portal, 511, page, .later, "RFC 6585 §6, Network Authentication Required", headers: html),
      OutcomeRow(
        .portal, 503, "<html><body><h1>503 Service Unavailable</h1>\n</body></html>\n", .later,
        "haproxy's built-in errorfile 503", headers: [Header("content-type", "text/html")]),
      OutcomeRow(
        .rateLimit, 429, "", .retry(7), "RFC 6585 §4, RFC 9110 §10.2.3", headers: [Header("retry-after", "7")]
      ),
      OutcomeRow(
        .rateLimit, 503, "", .retry(120), "RFC 9110 §10.2.3",
        headers: [Header("retry-after", "120")]),
      OutcomeRow(.unknown, 418, "{}", .later, "RFC 9110 §15.5.19: a status without a meaning here"),
      OutcomeRow(.unknown, 500, "oops", .later, "RFC 9110 §15.6.1"),
    ]
    guard let success else { return rows }
    let half = String(success.prefix(success.count / 2))
    return rows + [
      OutcomeRow(.empty, status, "", .later, "RFC 9112 §8: cut before the body"),
      OutcomeRow(.truncated, status, half, .later, "RFC 9112 §8: closed in the middle of the body"),
      OutcomeRow(
        .truncated, status, success, .later, "longer than what is read of any answer", isTruncated: true),
    ]
  }
}

/// Every gateway's documented answers: one table each, in the file of its tests.
enum OutcomeTable {
  struct Entry: Sendable, CustomTestStringConvertible {
    let kind: GatewayKind
    let gateway: any Gateway
    let rows: [OutcomeRow]
    /// Kinds that the service does not know, each with the reason.
    var absent: [OutcomeRow.Kind: String] = [:]

    var testDescription: String { kind.rawValue }
  }

  static func entries(for kind: GatewayKind) -> [Entry] {
    switch kind {
    case .webhook: webhook
    case .whatsapp: whatsApp
    case .twilio: twilio
    case .callmebot: callMeBot
    case .telegram: telegram
    case .ntfy: ntfy
    case .matrix: matrix
    case .pushover: pushover
    case .signal: signal
    case .traccar: traccar
    }
  }
}
