extension CallMeBot: ConfigurableGateway {
  static var addressing: Addressing { .phone }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, "instead of https://api.callmebot.com"),
      ConfigKey("api_key", .secret, "the key that CallMeBot gave; it may stand on the route instead"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> CallMeBot? {
    let url = reader.url("url") ?? "https://api.callmebot.com"
    return CallMeBot(baseURL: url.withoutTrailingSlash, apiKey: reader.secret("api_key"))
  }
}
