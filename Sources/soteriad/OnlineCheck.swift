import CCurl
import DaemonCore
import Glibc

/// `check --online`: tries each gateway's credentials, or at least reaches its server, all at once and
/// without sending anything to anyone.
struct OnlineCheck {
  let config: Config

  /// A line for each gateway; whether all are well.
  func run() -> (lines: [String], isWell: Bool) {
    var template = Array("/tmp/soteriad-check-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return (["cannot make a directory in /tmp"], false) }
    let directory = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    defer { removeDirectory(directory) }
    guard let http = HTTPClient(bundlesIn: directory) else { return (["cannot set up libcurl"], false) }
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

  /// With the files directly in it.
  private func removeDirectory(_ path: String) {
    if let stream = opendir(path) {
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        unlink("\(path)/\(name)")
      }
      closedir(stream)
    }
    rmdir(path)
  }

  private func problem(_ settings: GatewaySettings, _ result: Result<Response, TransportFailure>) -> String? {
    switch result {
    case .failure(let failure): return failure.description
    case .success(let response):
      return settings.gateway.probe == nil ? nil : settings.gateway.probeProblem(in: response)
    }
  }
}
