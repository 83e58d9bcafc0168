import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// The gpsd of this machine, fed by a receiver on a pty.
@Suite struct RealGpsdTests {
  /// A receiver that repeats one place for as long as anybody reads.
  private final class Receiver: @unchecked Sendable {
    let path: String
    private let master: Int32
    private let slave: Int32

    init() throws {
      var (master, slave): (Int32, Int32) = (-1, -1)
      var name = [CChar](repeating: 0, count: 128)
      _ = try checked(openpty(&master, &slave, &name, nil, nil), "openpty")
      var settings = termios()
      tcgetattr(slave, &settings)
      cfmakeraw(&settings)
      tcsetattr(slave, TCSANOW, &settings)
      // gpsd gives up its privileges before it opens the device.
      fchmod(slave, 0o666)
      path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      _ = fcntl(master, F_SETFL, O_NONBLOCK)
      self.master = master
      self.slave = slave
      // gpsd drops what comes while it hunts for the speed.
      for number in 0..<40 { say("GPTXT,01,01,02,warming up \(number)") }
    }

    deinit {
      close(master)
      close(slave)
    }

    func say(_ body: String) {
      let sum = body.utf8.reduce(0) { $0 ^ $1 }
      let text = "$\(body)*\(String(format: "%02X", Int(sum)))\r\n"
      _ = write(master, text, text.utf8.count)
    }

    func sayPlace(second: Int) {
      let clock = String(format: "1214%02d.00", second % 60)
      let place = "0610.52400,S,10649.63200,E"
      say("GPGGA,\(clock),\(place),1,09,0.9,12.0,M,18.0,M,,")
      say("GPGSA,A,3,02,05,09,12,15,20,25,29,31,,,,1.7,0.9,1.4")
      say("GPRMC,\(clock),A,\(place),2.72,84.0,301126,,,A")
    }
  }

  private static func freePort() throws -> Int {
    // The kernel does not hand the same port out again at once.
    try TCPServer(nil).port
  }

  @Test func theReceiversPlaceComesThrough() throws {
    let receiver = try Receiver()
    let port = try Self.freePort()
    let gpsd = Process()
    gpsd.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gpsd.arguments = [
      "PATH=/usr/sbin:/usr/bin:/bin", "gpsd", "-N", "-n", "-b", "-S", "\(port)", receiver.path,
    ]
    try gpsd.run()
    defer {
      // A child of a test's thread is born with SIGTERM blocked.
      kill(gpsd.processIdentifier, SIGKILL)
      gpsd.waitUntilExit()
    }

    let source = try GpsSource()
    var (generation, second) = (0, 0)
    var found: GpsReport?
    let limit = Clocks.now + .seconds(60)
    while found == nil, Clocks.now < limit, gpsd.isRunning {
      if source.sessionDescriptor == nil {
        generation += 1
        source.open(host: "127.0.0.1", port: port, generation: generation)
        try #require(TCPServer.isReadable(source.openDescriptor))
        _ = source.openFinished()
      }
      receiver.sayPlace(second: second)
      second += 1
      guard let session = source.sessionDescriptor else { continue }
      // The receiver's own pace: gpsd takes sentences that follow too closely for one cycle.
      _ = TCPServer.isReadable(session, milliseconds: 200)
      for case .gpsReported(let report) in source.readable() where report.latitude != nil { found = report }
    }

    let report = try #require(found)
    #expect(report.mode >= 2)
    #expect(abs((report.latitude ?? 0) - -6.1754) < 0.000_01)
    #expect(abs((report.longitude ?? 0) - 106.8272) < 0.000_01)
    #expect(report.device == receiver.path)
  }
}
