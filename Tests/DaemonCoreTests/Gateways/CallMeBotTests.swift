@testable import DaemonCore

extension OutcomeTable {
  private static let recorded = "recorded from api.callmebot.com by others' programs"
  private static let html = [Header("content-type", "text/html; charset=UTF-8")]
  private static let queued =
    "<p>Message to: +27733587019<p>Text to send: help<p><b>Message queued.</b> You will receive it in a few "
    + "seconds."

  static let callMeBot = [
    Entry(
      kind: .callmebot, gateway: CallMeBot(baseURL: "http://c", apiKey: "k"),
      rows: [
        OutcomeRow(.success, 200, queued, .weak, recorded, headers: html),
        OutcomeRow(.success, 200, "Message queued. You will receive it in a few seconds.", .weak, recorded),
        OutcomeRow(
          .recipient, 200, "Your Account is Paused. To resume it send the word 'resume'", .refused, recorded,
          headers: html),
        OutcomeRow(
          .credentials, 203, "<p>APIKey is invalid. You need to get a new one</p>", .refused, recorded,
          headers: html),
        OutcomeRow(
          .credentials, 200, "<p>APIKey is invalid. You need to get a new one</p>", .refused, recorded,
          headers: html),
        OutcomeRow(.rateLimit, 203, "Oops! Too many requests", .later, recorded),
        OutcomeRow(.rateLimit, 201, "Oops! Too many requests ... Message queued", .later, recorded),
        OutcomeRow(.error, 208, queued, .later, "callmebot.com: 208, not delivered"),
        OutcomeRow(.error, 201, queued, .later, "callmebot.com: 200 alone is queued"),
        OutcomeRow(.unknown, 200, "ok", .later, recorded),
        OutcomeRow(
          .truncated, 200, queued, .weak, "recorded: the words came before the rest", isTruncated: true),
      ] + OutcomeRow.broken(200, queued).filter { !$0.isTruncated })
  ]
}
