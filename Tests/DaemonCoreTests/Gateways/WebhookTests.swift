@testable import DaemonCore

extension OutcomeTable {
  private static let manual = "soteria.json(5), webhook"

  private static func hook(_ accept: WebhookAccept) -> Webhook {
    Webhook(
      url: "https://h.example/a", method: "POST", headers: [], body: .json, contentType: "application/json",
      accept: accept)
  }

  private static let never: [OutcomeRow.Kind: String] = [
    .recipient: "a webhook never refuses: it has no documented error", .credentials: "judged by its status",
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
        OutcomeRow(.error, 401, "", .later, "RFC 9110 §15.5.2"),
      ] + OutcomeRow.broken(200, nil),
      absent: never.merging([.empty: "success may be empty", .truncated: "the body is not asked"]) { $1 }),
    Entry(
      kind: .webhook,
      gateway: hook(WebhookAccept(statuses: [200], jsonPath: ["ok"], jsonEquals: .bool(true))),
      rows: [
        OutcomeRow(.success, 200, #"{"ok":true}"#, .strong, "api.slack.com/web#responses"),
        OutcomeRow(.error, 200, #"{"ok":false,"error":"channel_not_found"}"#, .later, "api.slack.com/web"),
        OutcomeRow(.error, 202, #"{"ok":true}"#, .later, "\(manual): accept.status"),
      ] + OutcomeRow.broken(200, #"{"ok":true}"#), absent: never),
  ]
}
