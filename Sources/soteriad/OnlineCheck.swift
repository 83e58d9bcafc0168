import CCurl
import DaemonCore

/// `check --online`: tries each gateway's credentials, or at least reaches its server, all at once and
/// without sending anything to anyone.
struct OnlineCheck {
  let config: Config

  /// A line for each gateway; whether all are well.
  func run() -> (lines: [String], isWell: Bool) {
    guard let http = HTTPClient() else { return (["cannot set up libcurl"], false) }
    for (index, settings) in config.gateways.enumerated() {
      let timeout = settings.timeout ?? config.delivery.attemptTimeout
      let request = settings.gateway.probe ?? Request(method: "GET", url: settings.gateway.baseURL)
      http.start(
        ExchangeID(number: index), request, timeout: timeout, caFile: settings.caFile,
        connectOnly: settings.gateway.probe == nil)
    }
    var verdicts: [Int: String?] = [:]
    while !http.isIdle {
      var entries: [sot_poll_entry] = []
      http.wait(for: &entries, limit: .seconds(1))
      for (id, result) in http.perform() { verdicts[id.number] = problem(config.gateways[id.number], result) }
    }
    let lines = config.gateways.enumerated().map { index, settings in
      let problem = verdicts[index] ?? "no verdict"
      let fine =
        settings.gateway.probe == nil ? "reachable; credentials cannot be tried" : "credentials accepted"
      return "\(settings.name): \(problem ?? fine)"
    }
    return (lines, verdicts.values.allSatisfy { $0 == nil })
  }

  private func problem(_ settings: GatewaySettings, _ result: Result<Response, TransportFailure>) -> String? {
    switch result {
    case .failure(let failure): return failure.description
    case .success(let response):
      return settings.gateway.probe == nil ? nil : settings.gateway.probeProblem(in: response)
    }
  }
}
