/// CallMeBot's WhatsApp relay.
package struct CallMeBot: Gateway {
  package var baseURL: String
  /// The route's own key wins; nil where every route has one.
  package var apiKey: String?

  package init(baseURL: String, apiKey: String?) {
    self.baseURL = baseURL
    self.apiKey = apiKey
  }
  package func steps(for message: Message) -> [Step] { [] }
  package func outcome(of response: Response, to step: Step) -> Outcome { .retry(reason: "", after: nil) }
}
