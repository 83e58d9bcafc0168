extension Telegram: ConfigurableGateway {
  static var addressing: Addressing { .chat }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, "instead of https://api.telegram.org"),
      ConfigKey("bot_token", .secret, required: true, "from @BotFather"),
      ConfigKey("acknowledge", .bool, "whether a call for help has a button to say that someone has it"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Telegram? {
    let url = reader.url("url") ?? "https://api.telegram.org"
    guard let token = reader.secret("bot_token") else { return nil }
    // Source: core.telegram.org/bots/api: digits, a colon, letters, digits, hyphen and underscore.
    guard
      token == ConfigReport.standIn
        || token.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || ":-_".contains($0)) })
    else {
      reader.error("bot_token", "is no bot token: digits, a colon, then letters and digits")
      return nil
    }
    return Telegram(
      baseURL: url.withoutTrailingSlash, botToken: token, acknowledges: reader.bool("acknowledge") ?? false)
  }
}
