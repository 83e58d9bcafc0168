/// Telegram's Bot API.
package struct Telegram: Gateway {
  package var baseURL: String
  package var botToken: String

  package init(baseURL: String, botToken: String) {
    self.baseURL = baseURL
    self.botToken = botToken
  }
  package func steps(for message: Message) -> [Step] { [] }
  package func outcome(of response: Response, to step: Step) -> Outcome { .retry(reason: "", after: nil) }
}
