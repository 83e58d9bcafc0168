import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// The whole program, from the edge of the line to the gateway.
@Suite struct DaemonTests {
  @Test func aPressOfTheLineReachesEveryone() throws {
    let (mum, dad) = (try Phone(), try Phone())
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([mum.url, dad.url]))
    try bench.start()

    try bench.press()

    let first = try #require(mum.wait(for: 1).first)
    let second = try #require(dad.wait(for: 1).first)
    #expect(first.kind == "alert")
    #expect(first.alert == second.alert)
    #expect(first.header("idempotency-key") == "\(first.alert)/c0/0")
    #expect(first.json?["position"] == .null)
    #expect(first.text.contains("unknown"))
  }

  @Test func anEditedFileIsToldUntilItIsReloaded() throws {
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config(["http://127.0.0.1:1/"]))
    try bench.start()
    #expect(try bench.status()["config"]?["source"] == .string("file"))

    try bench.configure(DaemonBench.config(["http://127.0.0.1:2/"]))
    #expect(bench.notified("configuration changed but not reloaded") != nil)
    #expect(try bench.status()["config"]?["source"] == .string("last-good"))

    bench.signal(SIGHUP)
    #expect(bench.notified("RELOADING=1") != nil)
    #expect(try bench.status()["config"]?["source"] == .string("file"))
  }

  @Test func aPressFromBeforeTheStartIsNotLost() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))

    try bench.press()
    try bench.start()

    #expect(phone.wait(for: 1).first?.kind == "alert")
  }

  @Test(arguments: [true, false]) func aStoppedProcessLosesNoPress(duringTheStop: Bool) throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    bench.signal(SIGHUP)
    bench.signal(SIGSTOP)
    if duringTheStop { try bench.press() }
    bench.signal(SIGCONT)
    #expect(bench.notified("RELOADING=1") != nil)
    if !duringTheStop { try bench.press() }

    #expect(phone.wait(for: 1).first?.kind == "alert")
  }

  @Test(arguments: [false, true]) func aGpsdThatHangsUpAtOnceEndsNothing(byReset: Bool) throws {
    let gpsd = try TCPServer { connection, number in
      if byReset { TCPServer.resetWhenClosed(connection) }
      guard number > 2 else { return }
      TCPServer.sendAll(
        Array(#"{"class":"TPV","mode":2,"lat":52.1,"lon":5.3}"#.utf8) + [0x0A], to: connection)
      _ = TCPServer.isReadable(connection, milliseconds: 60_000)
    }
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url], gpsPort: gpsd.port))
    try bench.start()

    #expect(bench.logged("gpsd: not connected"))
    while gpsd.connections < 3 { #expect(try bench.ask("status").status == 0) }

    #expect(try bench.ask("press", "--wait", "60s").status == 0)
    #expect(phone.received.count == 1)
  }

  @Test(.enabled(if: geteuid() == 0, "a name server of the test's own takes root"))
  func aNameServerThatNeverAnswersHoldsNothingUp() throws {
    let nameServer = try SilentNameServer()
    let phone = try Phone()
    let bench = try DaemonBench()
    let config = DaemonBench.config(["http://gateway.example/", phone.url])
    try bench.configure(
      config.replacing(#""alert""#, with: #""delivery": { "attempt_timeout": "1s" }, "alert""#))
    try bench.start(environment: ["WATCHDOG_USEC": "1000000"], within: nameServer.wrapper)
    let started = Clocks.now

    try bench.press()
    #expect(phone.wait(for: 1).count == 1)
    // A try that ends while its name is still being looked up.
    #expect(bench.logged("c0 gateway=g0 sequence=0 failed"))
    #expect(bench.notified("WATCHDOG=1") != nil)
    #expect(try bench.ask("press").status == 0)
    bench.signal(SIGTERM)

    #expect(bench.ended() == 0)
    #expect(Clocks.now - started < SilentNameServer.patience, "something waited for the resolver")
  }

  @Test func onePressIsOneMessage() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    try bench.press()
    _ = phone.wait(for: 1)
    _ = try bench.ask("press", "--drill", "--wait", "60s")

    #expect(phone.received.map(\.kind) == ["alert", "drill"])
  }

  @Test func aSilentAndAVanishedGatewayHoldNobodyUp() throws {
    let (silent, healthy) = (try Phone { _ in .silence }, try Phone())
    let deaf = try TCPServer(nil)
    let urls = [
      silent.url, "http://127.0.0.1:\(deaf.port)/", "http://gateway.invalid/", "http://127.0.0.1:1/",
      healthy.url,
    ]
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config(urls))
    try bench.start()

    try bench.press()

    #expect(healthy.wait(for: 1).count == 1)
    #expect(bench.logged("accepted"))
    #expect(try bench.status()["outbox"]?["pending"]?.integer == 4)
  }

  @Test func whoAsksBadlyOrNotAtAllHoldsNoPressUp() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()
    let greedy = try TestClient(bench.controlSocket)
    greedy.say(String(repeating: "x", count: 1 << 20))
    var idle: [TestClient] = []
    for _ in 0..<64 {
      idle.append(try TestClient(bench.controlSocket))
      idle.last?.say("{")
    }

    try bench.press()

    #expect(phone.wait(for: 1).first?.kind == "alert")
    #expect(try bench.ask("status").status == 0)
  }

  @Test func aGatewayThatResetsIsTriedAgain() throws {
    let phone = try Phone { $0 <= 2 ? .reset : .status(200) }
    let bench = try DaemonBench()
    let text = String(repeating: "help ", count: 60_000)
    try bench.configure(DaemonBench.config([phone.url], alert: #"{ "text": "\#(text)" }"#))
    try bench.start()

    try bench.press()

    let received = phone.wait(for: 3)
    #expect(received.count == 3)
    #expect(received.last?.text == text)
    bench.signal(SIGTERM)
    #expect(bench.ended() == 0)
  }

  @Test func aLogThatNobodyReadsStopsNothing() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    bench.stopListening()
    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    #expect(try bench.ask("status").status == 0)
  }

  @Test(arguments: ["exec <&- >&- 2>&-", "exec >&-", "exec >/dev/full 2>&1"])
  func aPressLeavesWhateverItWasStartedWith(prelude: String) throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start(within: ["bash", "-c", "\(prelude); exec \"$@\"", "bash"])

    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    #expect(try bench.ask("status").status == 0)
    // A socket in their place would be sent the log.
    for stream in 0...2 {
      let file = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(bench.pid)/fd/\(stream)")
      #expect(file.hasPrefix("/dev/") || file.hasPrefix("pipe:"), "\(stream) is \(file)")
    }
  }

  /// Set on the running daemon: a sanitizer's own start needs to write.
  @Test func aPressLeavesWhereNoFileMayGrow() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start(within: ["env", "--default-signal=XFSZ"])
    try Scratch.run("prlimit", "--pid", "\(bench.pid)", "--fsize=0")

    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    #expect(try bench.ask("status").status == 0)
  }

  @Test func descriptorsThatAreNotThereAreNobodyElses() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start(within: ["env", "LISTEN_FDS=6"])

    bench.signal(SIGHUP)
    #expect(bench.notified("RELOADING=1") != nil)
    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
  }

  @Test func whoCannotBeLetInIsTurnedAwayAndNeverWaitedFor() throws {
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config(["http://127.0.0.1:1/"]))
    try bench.start()
    let inUse = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bench.pid)/fd").count
    try Scratch.run("prlimit", "--pid", "\(bench.pid)", "--nofile=\(inUse):")

    // The loop would find the socket ready again at once, for as long as somebody waits there.
    let crowd = try (0..<40).map { _ in try TestClient(bench.controlSocket) }

    #expect(crowd.contains { TCPServer.isReadable($0.descriptor) && $0.heard().isOver })
    try Scratch.run("prlimit", "--pid", "\(bench.pid)", "--nofile=1024:")
    #expect(try bench.ask("status").status == 0)
  }

  @Test func aLineThatBreaksIsSaidAndTheCommandStillAlerts() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    try bench.breakLine()

    #expect(bench.logged("button: cannot watch") || bench.logged("button: no line"))
    let status = try bench.status()
    #expect(status["state"]?.string == "degraded")
    #expect(status["button"]?["state"]?.string == "unavailable")
    #expect(try bench.ask("press", "--wait", "60s").status == 0)
    #expect(phone.received.count == 1)
  }

  @Test func pressTellsWhetherEveryoneHasIt() throws {
    let phone = try Phone { _ in .status(503) }
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    let failed = try bench.ask("press", "--wait", "1s")
    phone.answer(with: .status(200))
    let done = try bench.ask("press", "--drill", "--wait", "60s")

    #expect(failed.status == 1)
    #expect(failed.errors.contains("C0"))
    #expect(done.status == 0)
    #expect(done.output.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ("http_proxy", "http"), ("https_proxy", "https"), ("HTTPS_PROXY", "https"), ("ALL_PROXY", "http"),
  ])
  func proxiesOfTheEnvironmentAreUsedUnlessExempt(variable: String, scheme: String) throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url, "\(scheme)://proxied.invalid/"]))
    try bench.start(environment: [
      variable: "http://user:secretword@127.0.0.1:1", "NO_PROXY": "127.0.0.1,localhost",
    ])

    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    #expect(bench.logged("cannot connect"))
    #expect(!bench.log.contains("secretword"))
  }

  @Test func anEmptyProxyIsNone() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    let empty = ["http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy", "NO_PROXY"]
    try bench.start(environment: Dictionary(uniqueKeysWithValues: empty.map { ($0, "") }))

    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
  }
}

/// A name server that takes questions and answers none.
private final class SilentNameServer {
  /// How long the resolver waits for it.
  static let patience = Duration.seconds(30)
  private let scratch: Scratch
  private let descriptor: Int32

  init() throws {
    scratch = try Scratch()
    descriptor = try checked(socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0), "socket")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(53).bigEndian
    // One for each run of the tests on the machine.
    let host = "127.83.\(getpid() >> 8 & 0xFF).\(getpid() & 0xFF)"
    address.sin_addr.s_addr = inet_addr(host)
    let descriptor = self.descriptor
    _ = try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try checked(bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)), "bind")
      }
    }
    let text = "nameserver \(host)\noptions timeout:\(Self.patience.components.seconds) attempts:1\n"
    try scratch.put(Array(text.utf8), "resolv.conf")
    try scratch.put(Array("hosts: files dns\n".utf8), "nsswitch.conf")
  }

  deinit { close(descriptor) }

  /// Has a program ask it, and no other on the system.
  var wrapper: [String] {
    let script =
      #"for file in resolv nsswitch; do mount --bind "$0/$file.conf" "/etc/$file.conf"; done; exec "$@""#
    return ["unshare", "--mount", "bash", "-ec", script, scratch.path]
  }
}
