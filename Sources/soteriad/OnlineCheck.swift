import CCurl
import DaemonCore
import Glibc

/// `check --online`: tries each gateway's credentials, or at least reaches its server, asks about each contact where
/// the service can say, asks the geocoder, and compares the clock; all at once and without sending anything to anyone.
struct OnlineCheck {
  let config: Config

  /// A line for each gateway, each contact that can be asked about, what tells addresses, and the clock; whether all
  /// are well without which no message arrives.
  func run() -> (lines: [String], isWell: Bool) {
    var template = Array("/tmp/soteriad-check-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return (["cannot make a directory in /tmp"], false) }
    let directory = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    defer { removeDirectory(directory) }
    guard let http = HTTPClient(bundlesIn: directory) else { return (["cannot set up libcurl"], false) }
    let probes = OnlineProbe.all(in: config)
    for (index, probe) in probes.enumerated() {
      http.start(
        ExchangeID(number: index), probe.request, timeout: probe.timeout, caFile: probe.caFile,
        connectOnly: probe.connectsOnly)
    }
    var problems = probes.map { _ in String?.some("no verdict") }
    var clockErrors: [Int64] = []
    while !http.isIdle {
      var entries: [sot_poll_entry] = []
      http.wait(for: &entries, limit: .seconds(1))
      for (id, result) in http.perform() {
        problems[id.number] = probes[id.number].problem(in: result)
        probes[id.number].clockError(in: result, wall: Clocks.unjudged).map { clockErrors.append($0) }
      }
    }
    let clock = ClockVerdict(errors: clockErrors)
    var lines = zip(probes, problems).map { probe, problem in "\(probe.name): \(probe.verdict(problem))" }
    if let geocoder = config.geocoder {
      lines.append(geocoder.verdict(of: PlacesSource.nearest(to: .nowhere, in: geocoder.places)))
    }
    let isWell = zip(probes, problems).allSatisfy { $0.isWell(with: $1) }
    return (lines + [clock.line], isWell && clock.problem == nil)
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
}

extension ClockVerdict {
  fileprivate var line: String {
    switch self {
    case .untold: "clock: no service tells the time"
    case .right: "clock: agrees with the services'"
    case .wrong: "clock: \(problem ?? "")"
    }
  }
}
