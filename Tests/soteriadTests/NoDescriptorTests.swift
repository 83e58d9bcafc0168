import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// The daemon has as many descriptors as it may have.
@Suite struct NoDescriptorTests {
  @Test func whoeverConnectsWaitsAndTheLoopRests() throws {
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config(["http://127.0.0.1:1/"]))
    try bench.start()
    let limit = try lowestFree(in: bench.pid)
    try Scratch.run("prlimit", "--pid", "\(bench.pid)", "--nofile=\(limit):")

    let client = try TestClient(bench.controlSocket)
    client.say(ControlRequest.encode(.status) + "\n")

    #expect(bench.logged("cannot take a connection: Too many open files"))
    #expect(comesToRest(bench.pid, while: client))
    #expect(client.heard() == ("", false))

    try Scratch.run("prlimit", "--pid", "\(bench.pid)", "--nofile=1024:")
    bench.signal(SIGHUP)
    #expect(TCPServer.isReadable(client.descriptor))
    #expect(client.heard().text.contains("soteriad"))
    #expect(bench.logged("control socket: works again"))
  }

  private func lowestFree(in pid: Int32) throws -> Int {
    let taken = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap(Int.init)
    return try #require((0...).first { !taken.contains($0) })
  }

  /// Whether it uses no CPU time for as long as the client is not answered within a tenth of a second, in one of so
  /// many of them: what it has to do otherwise now and then is over soon, a loop that turns for nothing is not.
  private func comesToRest(_ pid: Int32, while client: TestClient) -> Bool {
    for _ in 0..<100 {
      let before = cpuTime(of: pid)
      if TCPServer.isReadable(client.descriptor, milliseconds: 100) { return false }
      if before != nil, cpuTime(of: pid) == before { return true }
    }
    return false
  }

  /// In nanoseconds, of the loop's thread. Source: Documentation/scheduler/sched-stats.rst.
  private func cpuTime(of pid: Int32) -> Substring? {
    let bytes = FileManager.default.contents(atPath: "/proc/\(pid)/schedstat")
    return bytes.flatMap { String(decoding: $0, as: UTF8.self).split(separator: " ").first }
  }
}
