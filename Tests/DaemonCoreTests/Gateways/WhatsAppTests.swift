@testable import DaemonCore

extension OutcomeTable {
  private static let messages = "developers.facebook.com/docs/whatsapp/cloud-api/reference/messages"
  private static let codes = "developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes"
  private static let taken =
    #"{"messaging_product":"whatsapp","contacts":[{"input":"+628","wa_id":"628"}],"#
    + #""messages":[{"id":"wamid.HBgL","message_status":"accepted"}]}"#

  private static func error(_ code: Int, _ message: String, _ more: String = "") -> String {
    #"{"error":{"message":"\#(message)","type":"OAuthException","code":\#(code)\#(more),"fbtrace_id":"A"}}"#
  }

  static let whatsApp = [
    Entry(
      kind: .whatsapp,
      gateway: WhatsApp(
        baseURL: "http://w", phoneNumberID: "1", accessToken: "tok", apiVersion: "v23.0",
        template: WhatsAppTemplate(name: "n", language: "en")),
      rows: [
        OutcomeRow(.success, 200, taken, .strong, messages, step: "template"),
        OutcomeRow(
          .success, 200, #"{"messages":[{"id":"wamid.HBgL"}]}"#, .strong,
          "\(messages), before message_status",
          step: "template"),
        OutcomeRow(.success, 200, taken, .weak, "\(codes), 131047: free text may be dropped later"),
        OutcomeRow(.success, 200, taken, .weak, "\(codes), 131047", step: "location"),
        OutcomeRow(
          .success, 200, #"{"messages":[{"id":"w","message_status":"held_for_quality_assessment"}]}"#, .weak,
          "\(messages), message_status", step: "template"),
        OutcomeRow(
          .success, 200, #"{"messages":[{"id":"w","message_status":"paused"}]}"#, .weak, messages,
          step: "template"),
        OutcomeRow(.recipient, 400, error(131026, "Message undeliverable"), .refused, codes),
        OutcomeRow(
          .recipient, 200, error(131026, "Message undeliverable"), .refused,
          "\(codes): the code, not the status"),
        OutcomeRow(.recipient, 400, error(131030, "Recipient not in allowed list"), .refused, codes),
        OutcomeRow(.recipient, 400, error(131021, "Sender and recipient are the same"), .refused, codes),
        OutcomeRow(.recipient, 400, error(131050, "User has stopped marketing messages"), .refused, codes),
        OutcomeRow(.recipient, 400, error(131009, "Parameter value is not valid"), .refused, codes),
        OutcomeRow(.recipient, 400, error(131047, "Re-engagement message"), .refused, codes),
        OutcomeRow(.recipient, 400, error(130472, "User is part of an experiment"), .refused, codes),
        OutcomeRow(
          .error, 400, error(132000, "Number of parameters does not match"), .refused, codes, step: "template"
        ),
        OutcomeRow(.error, 404, error(132001, "Template does not exist"), .refused, codes, step: "template"),
        OutcomeRow(.error, 400, error(132005, "Text too long"), .refused, codes, step: "template"),
        OutcomeRow(.error, 400, error(132007, "Policy violated"), .refused, codes, step: "template"),
        OutcomeRow(
          .error, 400, error(132012, "Parameter format does not match"), .refused, codes, step: "template"),
        OutcomeRow(.error, 400, error(132015, "Template is paused"), .refused, codes, step: "template"),
        OutcomeRow(.error, 400, error(132016, "Template is disabled"), .refused, codes, step: "template"),
        OutcomeRow(.error, 400, error(131008, "Required parameter is missing"), .refused, codes),
        OutcomeRow(.error, 400, error(100, "Invalid parameter"), .later, codes),
        OutcomeRow(.error, 500, error(131000, "Something went wrong"), .later, codes),
        OutcomeRow(.error, 503, error(131016, "Service unavailable"), .later, codes),
        OutcomeRow(.error, 500, #"{"error":"x"}"#, .later, "\(codes): no code at all"),
        OutcomeRow(
          .credentials, 401, error(190, "Error validating access token", #","error_subcode":463"#), .later,
          codes),
        OutcomeRow(.credentials, 401, error(0, "Unable to authenticate"), .later, codes),
        OutcomeRow(.credentials, 403, error(10, "Permission denied"), .later, codes),
        OutcomeRow(.credentials, 403, error(200, "API permission"), .later, codes),
        OutcomeRow(.credentials, 400, error(3, "API method"), .later, codes),
        OutcomeRow(.rateLimit, 429, error(130429, "Rate limit hit"), .later, codes),
        OutcomeRow(.rateLimit, 429, error(131048, "Spam rate limit hit"), .later, codes),
        OutcomeRow(.rateLimit, 400, error(80007, "Rate limit issues"), .later, codes),
        OutcomeRow(.rateLimit, 400, error(4, "API too many calls"), .later, codes),
        OutcomeRow(
          .rateLimit, 400, error(131056, "Pair rate limit hit"), .retry(6),
          "\(codes): one in 6 s to each contact"),
        OutcomeRow(.recipient, 400, error(130497, "Restricted from messaging this country"), .refused, codes),
        OutcomeRow(.error, 400, error(131049, "Not delivered, healthy ecosystem"), .later, codes),
        OutcomeRow(.error, 400, error(131051, "Unsupported message type"), .later, codes),
        OutcomeRow(.error, 400, error(131042, "Business eligibility payment issue"), .later, codes),
        OutcomeRow(.error, 500, error(131057, "Account in maintenance mode"), .later, codes),
        OutcomeRow(.error, 503, error(133004, "Server temporarily unavailable"), .later, codes),
        OutcomeRow(.error, 400, error(133010, "Phone number not registered"), .later, codes),
        OutcomeRow(.error, 503, error(2, "API service"), .later, codes),
        OutcomeRow(.error, 400, error(1, "API unknown"), .later, codes),
        OutcomeRow(.credentials, 403, error(131005, "Access denied"), .later, codes),
        OutcomeRow(.credentials, 403, error(131031, "Account has been locked"), .later, codes),
        OutcomeRow(
          .credentials, 403, error(368, "Temporarily blocked for policies violations"), .later, codes),
        OutcomeRow(.unknown, 200, #"{"messages":[]}"#, .later, "\(messages): no id"),
        OutcomeRow(.unknown, 200, #"{"messages":[{"id":""}]}"#, .later, "\(messages): no id"),
        OutcomeRow(.unknown, 200, "[]", .later, messages),
      ] + OutcomeRow.broken(200, taken))
  ]
}
