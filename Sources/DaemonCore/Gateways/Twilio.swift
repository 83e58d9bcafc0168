/// Twilio, SMS and WhatsApp.
package struct Twilio: Gateway {
  package var baseURL: String
  package var accountSID: String
  package var authToken: String
  package var sender: TwilioSender
  package var channel: TwilioChannel
  /// An approved content template, whose variable 1 becomes the text; nil sends free text.
  package var contentSID: String?

  package init(
    baseURL: String, accountSID: String, authToken: String, sender: TwilioSender, channel: TwilioChannel,
    contentSID: String?
  ) {
    self.baseURL = baseURL
    self.accountSID = accountSID
    self.authToken = authToken
    self.sender = sender
    self.channel = channel
    self.contentSID = contentSID
  }
  package func steps(for message: Message) -> [Step] { [] }
  package func outcome(of response: Response, to step: Step) -> Outcome { .retry(reason: "", after: nil) }
}

/// Who a Twilio message comes from.
package enum TwilioSender: Hashable, Sendable {
  case from(String)
  case messagingService(String)
}

package enum TwilioChannel: String, Hashable, Sendable, CaseIterable {
  case sms, whatsapp
}
