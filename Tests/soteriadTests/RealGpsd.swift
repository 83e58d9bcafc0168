import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// A real gpsd with a receiver on a pseudo-terminal that the test plays, and what the program makes of it.
final class RealGpsd {
  static let path = "/usr/sbin/gpsd"
  static var isInstalled: Bool { access(path, X_OK) == 0 }

  /// The receiver's device, as gpsd names it.
  let device: String
  private(set) var store = FixStore()
  private(set) var reports: [GpsReport] = []
  /// Every place that was ever believed.
  private(set) var places: [Fix] = []
  private(set) var rubbish = 0
  private let receiver: Int32
  /// Held open, so that the receiver is not taken for unplugged between gpsd's own openings of it.
  private let terminal: Int32
  private let gpsd = Process()
  private let source: GpsSource

  init() throws {
    receiver = try checked(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK), "pseudo-terminal")
    // Source: linux/tty.h by way of asm-generic/ioctls.h, TIOCSPTLCK and TIOCGPTN; posix_openpt(3) is out of sight.
    var (locked, number): (Int32, Int32) = (0, -1)
    _ = try checked(ioctl(receiver, 0x4004_5431, &locked), "unlock")
    _ = try checked(ioctl(receiver, 0x8004_5430, &number), "number")
    device = "/dev/pts/\(number)"
    terminal = try checked(open(device, O_RDWR | O_NOCTTY | O_CLOEXEC), device)
    var settings = termios()
    tcgetattr(terminal, &settings)
    cfmakeraw(&settings)
    tcsetattr(terminal, TCSANOW, &settings)
    // gpsd gives its rights away before it opens it.
    chmod(device, 0o666)
    let port = try LoopbackServer().port
    gpsd.executableURL = URL(fileURLWithPath: Self.path)
    gpsd.arguments = ["-N", "-n", "-b", "-S", "\(port)", device]
    gpsd.standardOutput = FileHandle.nullDevice
    gpsd.standardError = FileHandle.nullDevice
    source = try GpsSource()
    try gpsd.run()
    for round in 0..<400 where source.sessionDescriptor == nil {
      source.open(host: "127.0.0.1", port: port, generation: round)
      try #require(isReadable(source.openDescriptor))
      if case .gpsLost? = source.openFinished() { poll(nil, 0, 50) }
    }
    try #require(source.sessionDescriptor != nil, "gpsd does not answer")
    // gpsd looks for the receiver's speed first, and drops what comes meanwhile.
    for _ in 0..<2000 where reports.isEmpty { say(Self.sentence("GPRMC,,V,,,,,,,,,,N").utf8) }
    try #require(!reports.isEmpty, "gpsd does not hear the receiver")
    finish()
    reports = []
  }

  deinit {
    // It inherits from the test's thread that SIGTERM is blocked.
    kill(gpsd.processIdentifier, SIGKILL)
    gpsd.waitUntilExit()
    close(terminal)
    close(receiver)
  }

  /// The receiver says `bytes`; whatever gpsd says within 10 ms is heard.
  func say(_ bytes: some Sequence<UInt8>) {
    var left = Array(bytes)
    while !left.isEmpty, gpsd.isRunning {
      let count = write(receiver, left, left.count)
      if count > 0 { left.removeFirst(count) }
      hear(milliseconds: 10)
    }
  }

  /// Hears what gpsd still has to report: it does so within a second, or not at all.
  func finish() {
    for _ in 0..<20 {
      let (before, start) = (reports.count, Clocks.now)
      while reports.count == before, Clocks.now - start < .seconds(1) { hear(milliseconds: 250) }
      if reports.count == before { return }
    }
  }

  private func hear(milliseconds: Int32) {
    guard let session = source.sessionDescriptor,
      TCPServer.isReadable(session, milliseconds: milliseconds)
    else { return }
    for event in source.readable() {
      switch event {
      case .gpsReported(let report):
        reports.append(report)
        store.reported(report, at: Clocks.now)
        if let fix = store.newest?.fix, places.last != fix { places.append(fix) }
      case .gpsRubbish: rubbish += 1
      default: break
      }
    }
  }

  /// `body` with its checksum, as a receiver sends it.
  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    return String(format: "$%@*%02X\r\n", body, Int(sum))
  }
}
