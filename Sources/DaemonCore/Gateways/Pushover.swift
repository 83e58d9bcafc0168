/// Pushover. Source: pushover.net/api, pushover.net/api/receipts.
///
/// A call for help goes with emergency priority: it comes again every `retry` until someone acknowledges it or
/// `expire` is over, and the service tells who did. The all-clear ends that. There is no idempotency: a try that
/// was cut off after the server had it comes twice.
package struct Pushover: Gateway {
  package var baseURL: String
  /// Of the application.
  package var token: String
  /// How often it comes again, at least 30 s.
  package var retry: Duration
  /// For how long, at most three hours.
  package var expire: Duration

  private static let textLimit = TextLimit.characters(1024)
  private static let titleLimit = 250
  private static let linkLimit = 512

  package init(
    baseURL: String, token: String, retry: Duration = .seconds(60), expire: Duration = .seconds(10_800)
  ) {
    self.baseURL = baseURL
    self.token = token
    self.retry = retry
    self.expire = expire
  }

  package func steps(for message: Message) -> [Step] {
    var fields: [(name: String, value: String)] = [
      ("token", token), ("user", message.to ?? ""), ("message", message.text(Self.textLimit)),
      ("title", String(message.wearer.prefix(utf16: Self.titleLimit))),
    ]
    if message.isUrgent {
      fields += [
        ("priority", "2"), ("retry", "\(retry.wholeSeconds)"), ("expire", "\(expire.wholeSeconds)"),
        ("tags", message.alertID),
      ]
    } else {
      fields.append(("priority", message.kind == .update ? "1" : "0"))
    }
    if message.hasPin, let link = message.mapURL, link.unicodeScalars.count <= Self.linkLimit {
      fields.append(("url", link))
    }
    var steps = [Step(name: "text", request: post("messages", fields))]
    if message.kind == .allClear {
      let path = "receipts/cancel_by_tag/\(message.alertID.percentEncoded)"
      steps.append(Step(name: "cancel", request: post(path, [("token", token)])))
    }
    return steps
  }

  package func outcome(of response: Response, to step: Step) -> Outcome {
    guard let answer = response.json, let status = answer["status"]?.wireInteger else {
      return response.unexplained
    }
    // Only the message proves anything; that its repetition was ended reaches nobody.
    if response.isSuccess, status == 1 {
      return step.name == "cancel"
        ? .accepted(Acceptance(strong: false)) : .accepted(Acceptance(receipt: answer["receipt"]?.string))
    }
    return failure(answer, in: response)
  }

  package func fateRequest(for receipt: String) -> Request? {
    Request(
      method: "GET",
      url: "\(baseURL)/1/receipts/\(receipt.percentEncoded).json?token=\(token.percentEncoded)")
  }

  package func fate(from response: Response) -> Fate {
    guard response.isSuccess, let answer = response.json, answer["status"]?.wireInteger == 1 else {
      return .unknown
    }
    return answer["acknowledged"]?.wireInteger == 1 ? .acknowledged : .unknown
  }

  package var fatePace: FatePace { .acknowledgement }

  package var probe: Request? {
    Request(method: "GET", url: "\(baseURL)/1/apps/limits.json?token=\(token.percentEncoded)")
  }

  package func probeProblem(in response: Response) -> String? {
    guard let answer = response.json, let status = answer["status"]?.wireInteger else {
      return response.unexplained.reason
    }
    guard response.isSuccess, status == 1 else { return failure(answer, in: response).reason }
    return answer["remaining"]?.wireInteger == 0 ? "the application's messages of this month are spent" : nil
  }

  package func recipientProbe(for to: String) -> Request? {
    post("users/validate", [("token", token), ("user", to)])
  }

  package func recipientProblem(in response: Response, for to: String) -> String? {
    guard let answer = response.json, let status = answer["status"]?.wireInteger else {
      return response.unexplained.reason
    }
    return response.isSuccess && status == 1 ? nil : failure(answer, in: response).reason
  }

  /// The parameter that is at fault is named beside the words.
  private func failure(_ answer: JSON, in response: Response) -> Outcome {
    if answer["token"]?.string == "invalid" { return response.retry("application token not accepted") }
    if response.status == 429 { return response.retry("the application's messages of this month are spent") }
    if response.status == 400, answer["user"]?.string == "invalid" {
      return .refused(reason: "Pushover does not know this user or group key, or it has no device")
    }
    let errors = answer["errors"]?.array?.compactMap(\.string) ?? []
    let words = ServerWords.fit(errors.joined(separator: "; "), secrets: [token])
    return response.retry(words.isEmpty ? "Pushover error (\(response.status))" : words)
  }

  private func post(_ path: String, _ fields: [(name: String, value: String)]) -> Request {
    Request(
      method: "POST", url: "\(baseURL)/1/\(path).json",
      headers: [Header("Content-Type", "application/x-www-form-urlencoded")],
      body: Array(formEncoded(fields).utf8))
  }
}

extension Pushover: ConfigurableGateway {
  /// Source: pushover.net/api, identifiers.
  static var addressing: Addressing {
    .name(
      "the contact's user key, or a group's", form: "a user or group key: 30 letters and digits",
      length: 30...30
    ) { $0.isPlainWord }
  }

  static var keys: [ConfigKey] {
    [
      ConfigKey("url", .text, "instead of https://api.pushover.net"),
      ConfigKey("token", .secret, required: true, "the application's API token"),
      ConfigKey("retry", .duration(.seconds(30)...(.seconds(3600))), "how often a call for help comes again"),
      ConfigKey("expire", .duration(.seconds(60)...(.seconds(10_800))), "for how long it comes again"),
    ]
  }

  static func decode(_ reader: ObjectReader) -> Pushover? {
    let url = reader.url("url") ?? "https://api.pushover.net"
    guard let token = reader.secret("token") else { return nil }
    var gateway = Pushover(baseURL: url.withoutTrailingSlash, token: token)
    reader.duration("retry").map { gateway.retry = $0 }
    reader.duration("expire").map { gateway.expire = $0 }
    return gateway
  }
}
