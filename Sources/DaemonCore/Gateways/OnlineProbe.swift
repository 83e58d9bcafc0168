/// One question to a service that sends nothing to anyone and tells nobody where the wearer is.
///
/// `soteriad check --online` asks them all, and the daemon does once a day.
package struct OnlineProbe: Sendable {
  private enum Subject: Sendable {
    /// Are its credentials good? `canAsk` is false where only the way there and its TLS can be tried.
    case gateway(GatewaySettings, canAsk: Bool)
    /// Is a contact known there?
    case contact(String, to: String, GatewaySettings)
    /// Does it answer?
    case geocoder(GeocoderProbe)
  }

  private let subject: Subject
  package let request: Request
  package let timeout: Duration

  /// Of every gateway, then of every route whose service can tell, then of the geocoder.
  package static func all(in config: Config) -> [OnlineProbe] {
    func limit(_ settings: GatewaySettings) -> Duration { settings.timeout ?? config.delivery.attemptTimeout }
    let gateways = config.gateways.map { settings in
      let probe = settings.gateway.probe
      return OnlineProbe(
        subject: .gateway(settings, canAsk: probe != nil),
        request: probe ?? Request(method: "GET", url: settings.gateway.baseURL), timeout: limit(settings))
    }
    let routes = config.contacts.flatMap { contact in
      contact.routes.compactMap { route -> OnlineProbe? in
        guard let settings = config.gateways.named(route.gateway), let to = route.to,
          let request = settings.gateway.recipientProbe(for: to)
        else { return nil }
        return OnlineProbe(
          subject: .contact(contact.name, to: to, settings), request: request, timeout: limit(settings))
      }
    }
    let geocoder = config.geocoder.flatMap(GeocoderProbe.init).map {
      OnlineProbe(subject: .geocoder($0), request: $0.request, timeout: Geocoder.timeout)
    }
    return gateways + routes + (geocoder.map { [$0] } ?? [])
  }

  /// `sms`, `sms to Mum` or `addresses by nominatim`.
  package var name: String {
    switch subject {
    case .gateway(let settings, _): settings.name
    case .contact(let contact, _, let settings): "\(settings.name) to \(contact)"
    case .geocoder(let probe): probe.name
    }
  }

  /// Whether messages get through all the same.
  package func isWell(with problem: String?) -> Bool { problem == nil || isOfAddresses }

  /// Whether messages get through without it.
  var isOfAddresses: Bool {
    if case .geocoder = subject { return true }
    return false
  }

  package var caFile: String? {
    switch subject {
    case .gateway(let settings, _), .contact(_, _, let settings): settings.caFile
    case .geocoder: nil
    }
  }

  /// The service can be asked nothing: only the way there and its TLS are tried.
  package var connectsOnly: Bool {
    if case .gateway(_, canAsk: false) = subject { return true }
    return false
  }

  /// What is wrong; nil when all is well.
  package func problem(in result: Result<Response, TransportFailure>) -> String? {
    switch result {
    case .failure(let failure): return failure.description
    case .success(let response):
      switch subject {
      case .gateway(let settings, let canAsk):
        return canAsk ? settings.gateway.probeProblem(in: response) : nil
      case .contact(_, let to, let settings): return settings.gateway.recipientProblem(in: response, for: to)
      case .geocoder(let probe): return probe.problem(in: response)
      }
    }
  }

  /// What `check --online` says, after the name.
  package func verdict(_ problem: String?) -> String {
    guard let problem else { return praise }
    return isOfAddresses ? "warning: \(problem); messages go without, or with the nearest place" : problem
  }

  /// What is proven when all is well.
  private var praise: String {
    switch subject {
    case .gateway(_, let canAsk): canAsk ? "credentials accepted" : "reachable; credentials cannot be tried"
    case .contact: "known to the service"
    case .geocoder: "answers"
    }
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
