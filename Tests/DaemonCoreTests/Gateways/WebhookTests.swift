@testable import DaemonCore

extension OutcomeTable {
  private static let manual = "soteria.json(5), webhook"

  private static func hook(_ accept: WebhookAccept) -> Webhook {
    Webhook(
      url: "https://h.example/a", method: "POST", headers: [], body: .json, contentType: "application/json",
      accept: accept)
  }

  /// Pages that do not begin as pages do, and what is only labelled as one.
  private static let pages: [OutcomeRow] = {
    let html = [Header("content-type", "text/html")]
    return [
      OutcomeRow(.success, 200, #"{"sent":"<b>1</b>"}"#, .strong, "PHP calls everything HTML", headers: html),
      OutcomeRow(.success, 200, "<?xml version=\"1.0\"?><sent/>", .strong, "\(manual): XML is no page"),
      OutcomeRow(
        .success, 200, "<sms><header/><body>sent</body></sms>", .strong, "\(manual): whatever its tags are"),
      OutcomeRow(.success, 200, "Sent to Mum <mum@x.example><br>", .strong, "no page either", headers: html),
      OutcomeRow(
        .portal, 200, "Welcome, <a href=/in>sign in</a>", .later, "text before a tag", headers: html),
      OutcomeRow(
        .portal, 200, "\u{1F}\u{8}\u{0}", .later, "RFC 1952 §2.3.1: compressed unasked", headers: html),
      OutcomeRow(.portal, 200, "<!-- lan -->\n<html>", .later, "HTML §13.1: a comment may come first"),
      OutcomeRow(.portal, 200, "<?xml version=\"1.0\"?><!DOCTYPE html>", .later, "XHTML 1.0 §3.1.1"),
      OutcomeRow(
        .portal, 200, "<head><title>Sign in</title>", .later, "HTML §13.1.2.4: tags may be left out"),
    ]
  }()

  private static let never: [OutcomeRow.Kind: String] = [
    .recipient: "a webhook never refuses: it has no documented error"
  ]

  static let webhook = [
    Entry(
      kind: .webhook, gateway: hook(WebhookAccept()),
      rows: [
        OutcomeRow(.success, 200, "", .strong, manual), OutcomeRow(.success, 204, "", .strong, manual),
        OutcomeRow(.success, 202, "queued", .strong, manual),
        OutcomeRow(
          .success, 200, "ok", .strong, "PHP calls everything HTML",
          headers: [Header("content-type", "text/html")]),
        OutcomeRow(.success, 200, #"{"error":"x"}"#, .strong, "\(manual): the body is not asked"),
        OutcomeRow(
          .success, 200, String(repeating: "a", count: 65_536), .strong, "\(manual): judged by its status",
          isTruncated: true),
        OutcomeRow(.error, 410, #"{"error":"gone"}"#, .later, "RFC 9110 §15.5.11"),
        OutcomeRow(.credentials, 401, "", .later, "RFC 9110 §15.5.2"),
      ] + pages + OutcomeRow.broken(200, nil),
      absent: never.merging([.empty: "success may be empty", .truncated: "the body is not asked"]) { $1 }),
    Entry(
      kind: .webhook,
      gateway: hook(WebhookAccept(statuses: [200], jsonPath: ["ok"], jsonEquals: .bool(true))),
      rows: [
        OutcomeRow(.success, 200, #"{"ok":true}"#, .strong, "api.slack.com/web#responses"),
        OutcomeRow(
          .success, 200, #"{"ok":true,"text":"\ud83c"}"#, .strong,
          "ECMA-262 §25.5.2.3: JSON.stringify of a text cut in the middle of an emoji"),
        OutcomeRow(.error, 200, #"{"ok":false,"error":"channel_not_found"}"#, .later, "api.slack.com/web"),
        OutcomeRow(
          .credentials, 200, #"{"ok":false,"error":"token_expired"}"#, .later, "api.slack.com/web#responses"),
        OutcomeRow(.error, 202, #"{"ok":true}"#, .later, "\(manual): accept.status"),
      ] + OutcomeRow.broken(200, #"{"ok":true}"#), absent: never),
  ]
}
