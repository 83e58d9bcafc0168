import CGps
import DaemonCore
import Glibc

/// gpsd's reports through libgps.
///
/// Resolving and connecting block for as long as they like, so they happen on a thread that nobody waits for,
/// at most one at a time; its result comes through an eventfd, and one that is out of date is closed.
final class GpsSource {
  private let opening: Errand<Opened>
  private var session: Session?
  private var generation = 0
  /// False once closed: an opening that ends after that is closed too.
  private var isWanted = false
  private var next: Target?

  private struct Target: Sendable {
    var host: String
    var port: Int
    var generation: Int
  }

  private struct Opened: @unchecked Sendable {
    // Safe: handed over whole; the thread that made it never touches it again.
    var handle: OpaquePointer?
    var reason: String
    var generation: Int
  }

  init() throws(SystemError) {
    opening = try Errand()
  }

  /// Readable when an opening came to an end.
  var openDescriptor: Int32 { opening.descriptor }

  var sessionDescriptor: Int32? { session.map { sot_gps_descriptor($0.handle) } }

  /// Opens; an older session is closed. While an older opening still hangs, this one waits for it.
  func open(host: String, port: Int, generation: Int) {
    close()
    self.generation = generation
    isWanted = true
    next = Target(host: host, port: port, generation: generation)
    startNext()
  }

  func close() {
    session = nil
    next = nil
    isWanted = false
  }

  private func startNext() {
    guard let target = next, opening.isIdle else { return }
    next = nil
    let noThread = Opened(handle: nil, reason: "no thread to connect with", generation: target.generation)
    opening.begin(stackSize: 256 * 1024, noThread: noThread) {
      var reason = [CChar](repeating: 0, count: 256)
      let handle = sot_gps_open(target.host, "\(target.port)", &reason, reason.count)
      let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return Opened(handle: handle, reason: text, generation: target.generation)
    }
  }

  /// The opening came to an end.
  func openFinished() -> Event? {
    guard let result = opening.take() else { return nil }
    defer { startNext() }
    guard isWanted, result.generation == generation, next == nil else {
      result.handle.map { sot_gps_close($0) }
      return nil
    }
    guard let handle = result.handle else {
      return .gpsLost(generation: result.generation, reason: result.reason)
    }
    session = Session(handle: handle)
    return .gpsOpened(generation: result.generation)
  }

  /// What gpsd said since. One that never pauses is read once, so that the loop looks after everything else between;
  /// the descriptor stays readable while there is more.
  func readable() -> [Event] {
    var events: [Event] = []
    var report = sot_gps_report()
    var mayRead = true
    while let session {
      // Safe: the handle is owned by `session`, which lives through the call; one thread uses it.
      switch sot_gps_next(session.handle, &report, &mayRead) {
      case SOT_GPS_REPORT: events.append(.gpsReported(GpsReport(report)))
      case SOT_GPS_OTHER: continue
      case SOT_GPS_RUBBISH: events.append(.gpsRubbish)
      case SOT_GPS_GONE:
        self.session = nil
        events.append(.gpsLost(generation: generation, reason: "gpsd closed the connection"))
      default: return events
      }
    }
    return events
  }

  /// Owns the session: closes it when it is dropped.
  private final class Session {
    let handle: OpaquePointer

    init(handle: OpaquePointer) {
      self.handle = handle
    }

    deinit { sot_gps_close(handle) }
  }
}

extension GpsReport {
  /// NaN, which stands for unknown, does not get any further.
  fileprivate init(_ report: sot_gps_report) {
    func known(_ number: Double) -> Double? { number.isFinite ? number : nil }
    let device = withUnsafeBytes(of: report.device) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      device: device, mode: Int(report.mode), latitude: known(report.latitude),
      longitude: known(report.longitude), accuracy: known(report.eph), altitude: known(report.altitude_msl),
      speed: known(report.speed), course: known(report.track),
      origin: report.simulated ? .simulated : report.dead_reckoning ? .deadReckoning : .measured,
      receiverTime: known(report.time))
  }
}
