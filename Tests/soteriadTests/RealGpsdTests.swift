import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct RealGpsdTests {
  private static let path = "/usr/sbin/gpsd"
  private static var isInstalled: Bool { access(path, X_OK) == 0 }

  @Test(.enabled(if: isInstalled, "gpsd is not installed"))
  func readsThePlaceThatGpsdGives() throws {
    let port = try LoopbackServer().port
    // The port of the receiver is free as a TCP port, which is as good a guess as there is.
    let receiver = try LoopbackServer().port
    let gpsd = Process()
    gpsd.executableURL = URL(fileURLWithPath: Self.path)
    gpsd.arguments = ["-N", "-n", "-b", "-S", "\(port)", "udp://127.0.0.1:\(receiver)"]
    gpsd.standardOutput = FileHandle.nullDevice
    gpsd.standardError = FileHandle.nullDevice
    try gpsd.run()
    // It inherits from the test's thread that SIGTERM is blocked.
    defer { kill(gpsd.processIdentifier, SIGKILL) }
    let source = try GpsSource()
    var reports: [GpsReport] = []

    for round in 0..<200 where reports.last?.latitude == nil {
      if source.sessionDescriptor == nil {
        source.open(host: "127.0.0.1", port: port, generation: round)
        try #require(isReadable(source.openDescriptor))
        _ = source.openFinished()
      }
      Self.send(Self.sentences(second: round % 60), to: receiver)
      var entry = pollfd(fd: source.sessionDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 100)
      for case .gpsReported(let report) in source.readable() { reports.append(report) }
    }

    let report = try #require(reports.last)
    #expect(abs((report.latitude ?? 0) - 48.1173) < 0.001)
    #expect(abs((report.longitude ?? 0) + 11.5167) < 0.001)
    #expect(report.mode >= 2)
    #expect(report.device == "udp://127.0.0.1:\(receiver)")
  }

  private static func sentences(second: Int) -> String {
    let time = "1235" + (second < 10 ? "0" : "") + "\(second)"
    return [
      "GPRMC,\(time),A,4807.038,N,01131.000,W,022.4,084.4,230324,003.1,W",
      "GPGGA,\(time),4807.038,N,01131.000,W,1,08,0.9,545.4,M,46.9,M,,",
      "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1",
    ].map { body in
      let sum = body.utf8.reduce(UInt8(0), ^)
      return
        "$\(body)*\(String(sum / 16, radix: 16, uppercase: true))\(String(sum % 16, radix: 16, uppercase: true))\r\n"
    }.joined()
  }

  private static func send(_ text: String, to port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let bytes = Array(text.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
