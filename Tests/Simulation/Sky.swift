import DaemonCore

/// The satellites, the receiver and gpsd: what the daemon hears of where the wearer is.
struct Sky {
  var gpsd = Gpsd.running
  var receiver = Receiver.walking
  /// The daemon's connection to gpsd; nil while there is none.
  var session: Int?
  /// When the wearer does something: around that the receiver reports every second, else twice an hour.
  let wearerDeeds: [Int64]
  private var steps = 0

  init(wearerDeeds: [Int64]) {
    self.wearerDeeds = wearerDeeds
  }

  /// What gpsd says now; nil when it says nothing, or nobody listens.
  mutating func report() -> Event? {
    guard session != nil else { return nil }
    switch gpsd {
    case .dead, .hanging: return nil
    case .rubbish: return .gpsRubbish
    case .running: break
    }
    steps += 1
    var report = GpsReport(mode: 3, latitude: -6.1754, longitude: 106.8272, accuracy: 4)
    switch receiver {
    case .standing: break
    case .walking: report.latitude = -6.1754 + 0.000_01 * Double(steps % 100_000)
    case .noFix: report = GpsReport(mode: 1)
    case .nullIsland: (report.latitude, report.longitude) = (0, 0)
    }
    return .gpsReported(report)
  }

  func nextReport(after now: Int64) -> Int64 {
    if wearerDeeds.contains(where: { now >= $0 - s(300) && now < $0 + s(600) }) { return now + s(1) }
    let coming = wearerDeeds.lazy.map { $0 - s(300) }.filter { $0 > now }.min()
    return min(now + s(1800), coming ?? .max)
  }

  /// Returns what the daemon hears of it at once.
  mutating func change(_ next: Gpsd) -> Event? {
    gpsd = next
    guard next == .dead, let lost = session else { return nil }
    session = nil
    return .gpsLost(generation: lost, reason: "the connection was closed")
  }

  /// Returns what comes of it, and how much later.
  mutating func open(_ generation: Int) -> (Event, after: Int64) {
    if gpsd == .dead { return (.gpsLost(generation: generation, reason: "connection refused"), ms(2)) }
    session = generation
    return (.gpsOpened(generation: generation), ms(5))
  }
}
