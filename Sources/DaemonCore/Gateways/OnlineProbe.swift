/// One question to a service that sends nothing to anyone: are the credentials good, is the contact known?
///
/// `soteriad check --online` asks them all, and the daemon does once a day.
package struct OnlineProbe: Sendable {
  package let settings: GatewaySettings
  /// The name of the contact whose route is asked about; nil for the gateway itself.
  package let contact: String?
  package let to: String?
  package let request: Request
  /// The service can be asked nothing: only the way there and its TLS are tried.
  package let connectsOnly: Bool
  package let timeout: Duration

  /// Of every gateway, then of every route whose service can tell.
  package static func all(in config: Config) -> [OnlineProbe] {
    let gateways = config.gateways.map { settings in
      let probe = settings.gateway.probe
      return OnlineProbe(
        settings: settings, contact: nil, to: nil,
        request: probe ?? Request(method: "GET", url: settings.gateway.baseURL), connectsOnly: probe == nil,
        timeout: settings.timeout ?? config.delivery.attemptTimeout)
    }
    let routes = config.contacts.flatMap { contact in
      contact.routes.compactMap { route -> OnlineProbe? in
        guard let settings = config.gateway(named: route.gateway), let to = route.to,
          let request = settings.gateway.recipientProbe(for: to)
        else { return nil }
        return OnlineProbe(
          settings: settings, contact: contact.name, to: to, request: request, connectsOnly: false,
          timeout: settings.timeout ?? config.delivery.attemptTimeout)
      }
    }
    return gateways + routes
  }

  /// `sms`, or `sms to Mum`.
  package var name: String { contact.map { "\(settings.name) to \($0)" } ?? settings.name }

  /// What is wrong; nil when all is well.
  package func problem(in result: Result<Response, TransportFailure>) -> String? {
    switch result {
    case .failure(let failure): return failure.description
    case .success(let response):
      if connectsOnly { return nil }
      guard let to else { return settings.gateway.probeProblem(in: response) }
      return settings.gateway.recipientProblem(in: response, for: to)
    }
  }

  /// What is proven when all is well.
  package var praise: String {
    if contact != nil { return "known to the service" }
    return connectsOnly ? "reachable; credentials cannot be tried" : "credentials accepted"
  }

  /// By how much the clock that says `wall` is ahead of the server's, in seconds; nil where the server does not
  /// tell, or did not answer as the service does and may be anyone. Source: RFC 9110 §6.6.1, Date.
  package func clockError(in result: Result<Response, TransportFailure>, wall: WallTime) -> Int64? {
    guard case .success(let response) = result, !connectsOnly, problem(in: result) == nil,
      let date = response.header("date").flatMap(HTTPDate.seconds)
    else { return nil }
    return wall.milliseconds / 1000 - date
  }
}

/// What the servers say about the device's clock.
package enum ClockVerdict: Hashable, Sendable {
  case untold
  case right
  /// Seconds that the clock is ahead; behind where negative.
  case wrong(by: Int64)

  /// Answers take their time, and a date has no fractions.
  package static let tolerance: Int64 = 30

  /// The middle of what was told: one server's clock may be wrong as well.
  package init(errors: [Int64]) {
    guard !errors.isEmpty else {
      self = .untold
      return
    }
    let middle = errors.sorted()[errors.count / 2]
    self = middle.magnitude <= Self.tolerance.magnitude ? .right : .wrong(by: middle)
  }

  /// Nil unless it is wrong.
  package var problem: String? {
    guard case .wrong(let seconds) = self else { return nil }
    let span = Duration.seconds(Int64(clamping: seconds.magnitude)).roughly
    return "the clock is \(span) \(seconds > 0 ? "ahead of" : "behind") what the servers say"
  }
}
