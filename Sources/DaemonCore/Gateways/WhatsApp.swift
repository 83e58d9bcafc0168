/// WhatsApp Cloud API. Source: developers.facebook.com/docs/whatsapp/cloud-api.
///
/// Free text is accepted at any time but reaches only those who wrote to the number within 24 hours; what
/// becomes of it is told to a web server that a wearable does not have. So the approved template goes first
/// and alone proves anything. There is no idempotency: a try that was cut off after the server had it comes
/// twice.
package struct WhatsApp: Gateway {
  package var baseURL: String
  package var phoneNumberID: String
  package var accessToken: String
  package var apiVersion: String
  package var template: WhatsAppTemplate?

  private static let textLimit = 4096
  private static let parameterLimit = 1024

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

  package var canProve: Bool { template != nil }

  /// A template is approved with a location header or without one, and the settings do not tell which: with a
  /// fix the form with the header is tried first, as its pin is worth most.
  package func steps(for message: Message) -> [Step] {
    let place = message.hasPin ? message.position.fix.map { Self.location($0, of: message) } : nil
    var steps: [Step] = []
    if let template {
      if let place {
        steps.append(post("template", to: message, [("template", filled(template, message, header: place))]))
      }
      let plain = post("template", to: message, [("template", filled(template, message, header: nil))])
      steps.append(Step(name: "template", request: plain.request, fallback: place != nil))
    }
    let text = JSON.fields([
      ("body", .string(message.text(limit: Self.textLimit))), ("preview_url", .bool(false)),
    ])
    steps.append(post("text", to: message, [("text", text)]))
    if let place { steps.append(post("location", to: message, [("location", place)])) }
    return steps
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json else { return response.unexplained }
    if let error = answer["error"] { return outcome(of: error, in: response) }
    guard response.isSuccess, let message = answer["messages"]?.elements.first,
      message["id"]?.wireName != nil
    else { return response.unexplained }
    let held = message["message_status"]?.string.map { $0 != "accepted" } ?? false
    return .accepted(Acceptance(strong: step.name == "template" && !held))
  }

  package var probe: Request? {
    Request(method: "GET", url: "\(number)?fields=verified_name", headers: [authorization])
  }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json else { return response.unexplained.reason }
    if let error = answer["error"] { return outcome(of: error, in: response).reason }
    return response.isSuccess && answer["id"] != nil ? nil : response.unexplained.reason
  }

  private func outcome(of error: JSON, in response: Response) -> Outcome {
    guard let code = error["code"]?.wireInteger else { return response.retry(words(of: error)) }
    if let reason = Self.permanent[code] { return .refused(reason: "\(reason) (\(code))") }
    switch code {
    case 190: return response.retry("access token expired or not accepted (190)")
    case 0, 3, 10, 200...299: return response.retry("access token not allowed to send (\(code))")
    case 131056:
      return .retry(
        reason: "too many messages to this contact (131056)", after: response.retryAfter ?? .seconds(6))
    case 4, 80007, 130429, 131048: return response.retry("too many messages (\(code))")
    default: return response.retry("\(words(of: error)) (\(code))")
    }
  }

  /// Source: Cloud API, error codes. Those that another try of the same message cannot mend.
  private static let permanent: [Int64: String] = [
    130497: "the account may not send to this country",
    130472: "WhatsApp does not deliver to this contact now",
    131008: "a parameter is missing",
    131009: "a parameter is not valid, such as the phone number",
    131021: "sender and contact are the same number",
    131026: "this number cannot receive WhatsApp messages",
    131030: "the number is not on the list of allowed recipients",
    131047: "the contact has not written within 24 hours: only a template reaches them",
    131050: "the contact has stopped messages from this number",
    132000: "the template has another number of parameters",
    132001: "no such template in this language",
    132005: "the text is too long for the template",
    132007: "the template's text was not allowed",
    132012: "the template has parameters of another kind",
    132015: "the template is paused",
    132016: "the template is disabled",
  ]

  private func words(of error: JSON) -> String {
    let words = ServerWords.fit(error["message"]?.string ?? "", secrets: [accessToken])
    return words.isEmpty ? "WhatsApp error" : words
  }

  private static func location(_ fix: Fix, of message: Message) -> JSON {
    .fields([
      ("latitude", .degrees(fix.latitude)), ("longitude", .degrees(fix.longitude)),
      ("name", .string(message.wearer)),
      ("address", .string(message.address ?? message.phrase(.position))),
    ])
  }

  private func filled(_ template: WhatsAppTemplate, _ message: Message, header: JSON?) -> JSON {
    var components: [JSON] = []
    if let header {
      let parameter = JSON.fields([("type", .string("location")), ("location", header)])
      components.append(.fields([("type", .string("header")), ("parameters", .array([parameter]))]))
    }
    let text = message.parameterText(limit: Self.parameterLimit)
    let parameter = JSON.fields([("type", .string("text")), ("text", .string(text))])
    components.append(.fields([("type", .string("body")), ("parameters", .array([parameter]))]))
    return .fields([
      ("name", .string(template.name)), ("language", .fields([("code", .string(template.language))])),
      ("components", .array(components)),
    ])
  }

  private var number: String { "\(baseURL)/\(apiVersion)/\(phoneNumberID)" }
  private var authorization: Header { Header("Authorization", "Bearer \(accessToken)") }

  /// `content` is the one field that the type names.
  private func post(_ type: String, to message: Message, _ content: [(String, JSON)]) -> Step {
    let fields: [(String, JSON)] =
      [
        ("messaging_product", .string("whatsapp")), ("recipient_type", .string("individual")),
        ("to", .string(message.to ?? "")), ("type", .string(type)),
      ] + content
    let headers = [authorization, Header("Content-Type", "application/json")]
    return Step(
      name: type,
      request: Request(
        method: "POST", url: "\(number)/messages", headers: headers, body: JSON.fields(fields).bytes))
  }
}

/// An approved template: one body parameter, which becomes the text, and a location header or none.
package struct WhatsAppTemplate: Hashable, Sendable {
  package var name: String
  /// As approved, such as `en_US`.
  package var language: String

  package init(name: String, language: String) {
    self.name = name
    self.language = language
  }
}
