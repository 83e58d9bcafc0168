extension Twilio: ConfigurableGateway {
  static var addressing: Addressing { .phone }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, "instead of https://api.twilio.com"),
      ConfigKey("account_sid", .text, required: true, "the account, AC and 32 hexadecimal digits"),
      ConfigKey("auth_token", .secret, required: true, "the account's token"),
      ConfigKey("from", .text, "the sender: a phone number of the account or an alphanumeric name"),
      ConfigKey("messaging_service_sid", .text, "instead of from: a pool of senders"),
      ConfigKey("channel", .choice(TwilioChannel.allCases.map(\.rawValue)), "SMS or WhatsApp"),
      ConfigKey("content_sid", .text, "of an approved WhatsApp template"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Twilio? {
    let url = reader.url("url") ?? "https://api.twilio.com"
    let channel = reader.choice("channel", as: TwilioChannel.self) ?? .sms
    let from = reader.text("from")
    let service = reader.text("messaging_service_sid")
    if from == nil, service == nil { reader.error("from", "is missing: give from or messaging_service_sid") }
    if from != nil, service != nil {
      reader.error("messaging_service_sid", "stands beside from: remove one of them")
    }
    let content = reader.text("content_sid")
    if content != nil, channel == .sms {
      reader.error("content_sid", "is only for \"channel\": \"whatsapp\"")
    }
    let account = reader.text("account_sid")
    if let account, !account.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
      reader.error("account_sid", "must be letters and digits: AC and 32 hexadecimal digits")
    }
    if let from, from.hasPrefix("+") || channel == .whatsapp, PhoneNumber.canonical(from) == nil {
      reader.error("from", "must be a phone number: + and 8 to 15 digits with the country's code")
    }
    let token = reader.secret("auth_token")
    let sender =
      from.map { TwilioSender.from(PhoneNumber.canonical($0) ?? $0) }
      ?? service.map { .messagingService($0) }
    guard let account, let token, let sender else { return nil }
    return Twilio(
      baseURL: url.withoutTrailingSlash, accountSID: account, authToken: token, sender: sender,
      channel: channel, contentSID: content)
  }
}
