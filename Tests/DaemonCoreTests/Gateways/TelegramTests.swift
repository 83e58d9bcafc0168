@testable import DaemonCore

extension OutcomeTable {
  private static let api = "core.telegram.org/bots/api, making requests"
  private static let errors = "core.telegram.org/api/errors, as the Bot API words them"
  private static let parameters = "core.telegram.org/bots/api#responseparameters"

  private static func no(_ code: Int, _ words: String, _ more: String = "") -> String {
    #"{"ok":false,"error_code":\#(code),"description":"\#(words)"\#(more)}"#
  }

  static let telegram = [
    Entry(
      kind: .telegram, gateway: Telegram(baseURL: "http://t", botToken: "1:tok"),
      rows: [
        OutcomeRow(
          .success, 200,
          #"{"ok":true,"result":{"message_id":5,"chat":{"id":1,"type":"private"},"date":1,"text":"m"}}"#,
          .strong,
          api),
        OutcomeRow(.recipient, 400, no(400, "Bad Request: chat not found"), .refused, errors),
        OutcomeRow(.recipient, 400, no(400, "Bad Request: PEER_ID_INVALID"), .refused, errors),
        OutcomeRow(
          .recipient, 400, no(400, "Bad Request: have no rights to send a message"), .refused, errors),
        OutcomeRow(.recipient, 403, no(403, "Forbidden: bot was blocked by the user"), .refused, errors),
        OutcomeRow(.recipient, 403, no(403, "Forbidden: user is deactivated"), .refused, errors),
        OutcomeRow(
          .recipient, 403, no(403, "Forbidden: bot can't initiate conversation with a user"), .refused, errors
        ),
        OutcomeRow(
          .recipient, 403, no(403, "Forbidden: bot was kicked from the supergroup chat"), .refused, errors),
        OutcomeRow(
          .recipient, 400,
          no(
            400, "Bad Request: group chat was upgraded to a supergroup chat",
            #","parameters":{"migrate_to_chat_id":-1001234567890}"#), .refused, parameters),
        OutcomeRow(.error, 400, no(400, "Bad Request: can't parse entities"), .later, errors),
        OutcomeRow(.error, 400, no(400, "Bad Request: message text is empty"), .later, errors),
        OutcomeRow(.error, 403, no(403, "Proxy says no"), .later, "not in core.telegram.org/api/errors"),
        OutcomeRow(.error, 500, no(500, "Internal Server Error"), .later, api),
        OutcomeRow(.credentials, 401, no(401, "Unauthorized"), .later, errors),
        OutcomeRow(.credentials, 404, no(404, "Not Found"), .later, "\(api): no such bot"),
        OutcomeRow(
          .rateLimit, 429,
          no(429, "Too Many Requests: retry after 11", #","parameters":{"retry_after":11}"#), .retry(11),
          parameters, headers: [Header("retry-after", "3")]),
        OutcomeRow(
          .rateLimit, 429, no(429, "Too Many Requests", #","parameters":{"retry_after":-4}"#), .retry(0),
          "\(parameters): never in the past"),
        OutcomeRow(
          .unknown, 200, #"{"ok":false,"error":"invalid_auth"}"#, .later, "api.slack.com, behind the same URL"
        ),
        OutcomeRow(.unknown, 200, "true", .later, api),
      ] + OutcomeRow.broken(200, #"{"ok":true,"result":{"message_id":5}}"#))
  ]
}
