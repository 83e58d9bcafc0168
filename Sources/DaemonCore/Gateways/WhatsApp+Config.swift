extension WhatsApp: ConfigurableGateway {
  static var addressing: Addressing { .phone }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, "instead of https://graph.facebook.com"),
      ConfigKey("phone_number_id", .text, required: true, "the sender's id, from Meta's dashboard"),
      ConfigKey("access_token", .secret, required: true, "a permanent token of a system user"),
      ConfigKey("api_version", .text, "of the Graph API, like v23.0"),
      ConfigKey(
        "template",
        .object([
          ConfigKey("name", .text, required: true, "of an approved template with one body parameter"),
          ConfigKey("language", .text, required: true, "its language code, like en or id"),
        ]), "what is sent first: the only message that arrives outside the 24-hour window"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> WhatsApp? {
    let url = reader.url("url") ?? "https://graph.facebook.com"
    let version = reader.text("api_version") ?? "v23.0"
    if !version.hasPrefix("v")
      || !version.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
    {
      reader.error("api_version", "must look like \"v23.0\"")
    }
    var template: WhatsAppTemplate?
    if let part = reader.object("template"), let name = part.text("name"),
      let language = part.text("language")
    {
      template = WhatsAppTemplate(name: name, language: language)
    }
    let number = reader.text("phone_number_id")
    if let number, !number.allSatisfy({ $0.isASCII && $0.isNumber }) {
      reader.error("phone_number_id", "must be the sender's id, digits only; it is not the phone number")
    }
    let token = reader.secret("access_token")
    guard let number, let token else { return nil }
    return WhatsApp(
      baseURL: url.withoutTrailingSlash, phoneNumberID: number, accessToken: token, apiVersion: version,
      template: template)
  }
}

extension String {
  /// Base addresses are joined with paths that begin with a slash.
  var withoutTrailingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
