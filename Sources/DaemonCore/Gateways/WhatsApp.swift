/// WhatsApp Cloud API.
package struct WhatsApp: Gateway {
  package var baseURL: String
  package var phoneNumberID: String
  package var accessToken: String
  package var apiVersion: String
  package var template: WhatsAppTemplate?

  package init(
    baseURL: String, phoneNumberID: String, accessToken: String, apiVersion: String,
    template: WhatsAppTemplate?
  ) {
    self.baseURL = baseURL
    self.phoneNumberID = phoneNumberID
    self.accessToken = accessToken
    self.apiVersion = apiVersion
    self.template = template
  }
  package func steps(for message: Message) -> [Step] { [] }
  package func outcome(of response: Response, to step: Step) -> Outcome { .retry(reason: "", after: nil) }
}

/// An approved template: a location header (optional) and one body parameter.
package struct WhatsAppTemplate: Hashable, Sendable {
  package var name: String
  /// As approved, such as `en_US`.
  package var language: String

  package init(name: String, language: String) {
    self.name = name
    self.language = language
  }
}
