/// CallMeBot's relay to WhatsApp.
///
/// A free service that queues: acceptance proves little, so it is always weak. The key stands in the URL, so no
/// reason ever repeats the URL or the server's words. A try that was cut off may have been queued; there is
/// nothing by which the service would know it again, so the next try can come twice.
package struct CallMeBot: Gateway {
  package var baseURL: String
  /// The route's own key wins; nil where every route has one.
  package var apiKey: String?

  /// A request line beyond some 8 kB is refused by many servers, and a character can take 12 bytes in it.
  private static let textLimit = 1000

  package init(baseURL: String, apiKey: String?) {
    self.baseURL = baseURL
    self.apiKey = apiKey
  }

  package var canProve: Bool { false }

  package func steps(for message: Message) -> [Step] {
    let query = formEncoded([
      ("phone", message.to ?? ""), ("text", message.text(limit: Self.textLimit)),
      ("apikey", message.apiKey ?? apiKey ?? ""),
    ])
    return [Step(name: "text", request: Request(method: "GET", url: "\(baseURL)/whatsapp.php?\(query)"))]
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    let said = response.body.asciiLowercased
    guard response.isSuccess else { return response.unexplained }
    if said.holds("account is paused") { return .refused(reason: "the contact has paused CallMeBot") }
    if said.holds("apikey is invalid") { return .refused(reason: "CallMeBot does not know this API key") }
    if said.holds("too many requests") { return response.retry("too many messages for CallMeBot") }
    if response.status == 208 { return response.retry("CallMeBot did not deliver it (208)") }
    if response.status == 200, said.holds("message queued") { return .accepted(Acceptance(strong: false)) }
    return response.unexplained
  }
}
