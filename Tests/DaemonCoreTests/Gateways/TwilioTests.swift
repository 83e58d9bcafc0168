@testable import DaemonCore

extension OutcomeTable {
  private static let resource = "twilio.com/docs/messaging/api/message-resource"
  private static let dictionary = "twilio.com/docs/api/errors"
  private static let queued =
    #"{"sid":"SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","status":"queued","error_code":null,"error_message":null}"#

  private static func error(_ code: Int, _ status: Int) -> String {
    #"{"code":\#(code),"message":"x","more_info":"https://www.twilio.com/docs/errors/\#(code)","status":\#(status)}"#
  }

  private static func twilio(_ channel: TwilioChannel, _ content: String?) -> Twilio {
    Twilio(
      baseURL: "http://t", accountSID: "AC1", authToken: "s3cret", sender: .from("+1"), channel: channel,
      contentSID: content)
  }

  private static let permanent = [
    21211, 21214, 21217, 21219, 21265, 21408, 21603, 21606, 21610, 21612, 21614, 21635, 63003, 63016, 63024,
    63032,
  ]
  private static let lost = [30004, 30005, 30006, 30007]

  private static let answers =
    permanent.map { OutcomeRow(.recipient, 400, error($0, 400), .refused, "\(dictionary)/\($0)") }
    + lost.map {
      OutcomeRow(
        .recipient, 201, #"{"sid":"SM1","status":"failed","error_code":\#($0),"error_message":"x"}"#,
        .refused,
        "\(dictionary)/\($0)")
    } + [
      OutcomeRow(.credentials, 401, error(20003, 401), .later, "\(dictionary)/20003"),
      OutcomeRow(.credentials, 403, error(20005, 403), .later, "\(dictionary)/20005, account suspended"),
      OutcomeRow(
        .rateLimit, 429, error(20429, 429), .retry(2), "\(dictionary)/20429",
        headers: [Header("retry-after", "2")]),
      OutcomeRow(.rateLimit, 429, error(63018, 429), .later, "\(dictionary)/63018"),
      OutcomeRow(.rateLimit, 429, error(14107, 429), .later, "\(dictionary)/14107"),
      OutcomeRow(.error, 500, error(20500, 500), .later, "\(dictionary)/20500"),
      OutcomeRow(.error, 400, error(21617, 400), .later, "\(dictionary)/21617, body too long"),
      OutcomeRow(
        .error, 201, #"{"sid":"SM1","status":"failed","error_code":30003}"#, .later, "\(dictionary)/30003"),
      OutcomeRow(.error, 201, #"{"sid":"SM1","status":"failed","error_code":null}"#, .later, resource),
      OutcomeRow(.unknown, 400, error(99_999, 400), .later, "\(dictionary): not in the list"),
      OutcomeRow(.unknown, 201, #"{"status":"queued"}"#, .later, "\(resource): no sid"),
      OutcomeRow(.unknown, 201, #"{"sid":"","status":"queued"}"#, .later, "\(resource): no sid"),
    ] + OutcomeRow.broken(201, queued)

  static let twilio = [
    Entry(
      kind: .twilio, gateway: twilio(.sms, nil),
      rows: [OutcomeRow(.success, 201, queued, .strong, resource)] + answers),
    Entry(
      kind: .twilio, gateway: twilio(.whatsapp, nil),
      rows: [OutcomeRow(.success, 201, queued, .weak, "\(dictionary)/63016: told later")] + answers),
    Entry(
      kind: .twilio, gateway: twilio(.whatsapp, "HX1"),
      rows: [OutcomeRow(.success, 201, queued, .strong, resource, step: "template")] + answers),
  ]
}
