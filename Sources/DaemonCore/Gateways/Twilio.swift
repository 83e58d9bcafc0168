/// Twilio, SMS and WhatsApp. Source: twilio.com/docs/messaging/api/message-resource.
///
/// There is no idempotency key: after a 500 or a broken connection the message may have been sent, and the
/// next try then comes twice. That is preferred to a message that never comes.
package struct Twilio: Gateway {
  package var baseURL: String
  package var accountSID: String
  package var authToken: String
  package var sender: TwilioSender
  package var channel: TwilioChannel
  /// An approved content template, whose variable 1 becomes the text; nil sends free text.
  package var contentSID: String?

  /// Phones and carriers that join more than ten parts are few.
  private static let smsLimit = TextLimit.all([.utf16(1600), .segments(10)])
  private static let whatsAppLimit = TextLimit.utf16(1600)
  private static let variableLimit = 1024

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

  package var canProve: Bool { channel == .sms || contentSID != nil }

  package func steps(for message: Message) -> [Step] {
    var fields: [(name: String, value: String)] = [("To", onChannel(message.to ?? ""))]
    switch sender {
    case .from(let number): fields.append(("From", onChannel(number)))
    case .messagingService(let sid): fields.append(("MessagingServiceSid", sid))
    }
    if let contentSID {
      let text = message.parameterText(limit: Self.variableLimit)
      fields.append(("ContentSid", contentSID))
      fields.append(
        ("ContentVariables", String(decoding: JSON.fields([("1", .string(text))]).bytes, as: UTF8.self)))
    } else {
      fields.append(("Body", message.text(channel == .sms ? Self.smsLimit : Self.whatsAppLimit)))
    }
    let headers = [authorization, Header("Content-Type", "application/x-www-form-urlencoded")]
    let request = Request(
      method: "POST", url: "\(account)/Messages.json", headers: headers, body: Array(formEncoded(fields).utf8)
    )
    return [Step(name: contentSID == nil ? "text" : "template", request: request)]
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json else { return response.unexplained }
    guard response.isSuccess, let sid = answer["sid"]?.wireName else { return failure(answer, in: response) }
    if Self.lost(answer["status"]?.string) {
      return verdict(answer["error_code"]?.wireInteger, answer["error_message"]?.string, in: response)
    }
    return .accepted(Acceptance(strong: canProve, receipt: sid))
  }

  package func fateRequest(for receipt: String) -> Request? {
    Request(
      method: "GET", url: "\(account)/Messages/\(receipt.percentEncoded).json", headers: [authorization])
  }

  /// Read is more than delivered and less than acknowledged, as nobody has answered.
  package func fate(from response: Response) -> Fate {
    guard response.isSuccess, let answer = response.json else { return .unknown }
    let status = answer["status"]?.string
    if status == "delivered" || status == "read" { return .delivered }
    guard Self.lost(status) else { return .unknown }
    return .failed(verdict(answer["error_code"]?.wireInteger, answer["error_message"]?.string, in: response))
  }

  package var probe: Request? { Request(method: "GET", url: "\(account).json", headers: [authorization]) }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json else { return response.unexplained.reason }
    guard response.isSuccess, answer["sid"] != nil else { return failure(answer, in: response).reason }
    guard let status = answer["status"]?.string, status != "active" else { return nil }
    let words = ServerWords.fit(status, secrets: secrets)
    return "the Twilio account is \(words.isEmpty ? "in no known state" : words)"
  }

  private static func lost(_ status: String?) -> Bool {
    status == "failed" || status == "undelivered" || status == "canceled"
  }

  private func failure(_ answer: JSON, in response: Response) -> Outcome {
    guard let code = answer["code"]?.wireInteger else { return response.unexplained }
    return verdict(code, answer["message"]?.string, in: response)
  }

  private func verdict(_ code: Int64?, _ words: String?, in response: Response) -> Outcome {
    guard let code else { return response.retry("Twilio could not deliver it") }
    if let reason = Self.permanent[code] { return .refused(reason: "\(reason) (\(code))") }
    switch code {
    case 20003: return response.retry("credentials not accepted (20003)")
    case 20429, 14107, 63018: return response.retry("too many messages (\(code))")
    case 30003: return response.retry("the phone cannot be reached: off or out of coverage (30003)")
    default:
      let said = ServerWords.fit(words ?? "", secrets: secrets)
      return response.retry("\(said.isEmpty ? "Twilio error" : said) (\(code))")
    }
  }

  /// Source: twilio.com/docs/api/errors. Those that another try of the same message cannot mend.
  private static let permanent: [Int64: String] = [
    21211: "not a valid phone number",
    21214: "this number cannot be reached",
    21217: "not a valid phone number",
    21219: "a trial account sends to verified numbers only",
    21265: "the sender's own short code cannot receive",
    21408: "the account may not send to this country",
    21603: "no sender number given",
    21606: "the sender number cannot send this",
    21610: "the contact has sent STOP",
    21612: "the sender cannot reach this number",
    21614: "not a mobile number",
    21635: "a landline cannot receive texts",
    30004: "the contact blocks messages",
    30005: "no such phone",
    30006: "a landline, or a carrier that cannot be reached",
    30007: "filtered by the carrier",
    63003: "this number cannot receive WhatsApp messages",
    63016: "the contact has not written within 24 hours: only a template (content_sid) reaches them",
    63024: "not a valid recipient",
    63032: "WhatsApp does not deliver to this contact",
  ]

  private var account: String { "\(baseURL)/2010-04-01/Accounts/\(accountSID.percentEncoded)" }
  private var credentials: String { "\(accountSID):\(authToken)".base64 }
  private var authorization: Header { Header("Authorization", "Basic \(credentials)") }
  private var secrets: [String] { [authToken, credentials] }

  private func onChannel(_ number: String) -> String {
    channel == .whatsapp && !number.hasPrefix("whatsapp:") ? "whatsapp:\(number)" : number
  }
}

/// Who a Twilio message comes from.
package enum TwilioSender: Hashable, Sendable {
  case from(String)
  case messagingService(String)
}

package enum TwilioChannel: String, Hashable, Sendable, CaseIterable {
  case sms, whatsapp
}
