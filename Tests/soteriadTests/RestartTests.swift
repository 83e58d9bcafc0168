import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// What outlives the process: its end, its start, its configuration, its files.
@Suite struct RestartTests {
  @Test func killedBeforeTheAnswerTheSameAlertComesAgain() throws {
    let phone = try Phone { $0 == 1 ? .silence : .status(200) }
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    try bench.press()
    let first = try #require(phone.wait(for: 1).first)
    bench.kill()
    try bench.start()

    let received = phone.wait(for: 2)
    #expect(received.last?.alert == first.alert)
    #expect(received.last?.header("idempotency-key") == first.header("idempotency-key"))
  }

  @Test func killedWithinTheCancelWindowTheAlertGoesOutAtTheStart() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url], alert: #"{ "cancel_window": "5m" }"#))
    try bench.start()

    try bench.press()
    #expect(bench.logged("raised by"))
    // The store answers in the order in which it was asked, so the alert is on disk after this.
    let held = try bench.ask("alerts", "--json").output
    #expect(held.contains("\"held\""))
    #expect(phone.received.isEmpty)
    bench.kill()
    try bench.start()

    let alert = try #require(phone.wait(for: 1).first?.alert)
    #expect(held.contains(alert))
  }

  @Test func cancelledWithinTheWindowNobodyHears() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url], alert: #"{ "cancel_window": "5m" }"#))
    try bench.start()

    try bench.press()
    #expect(bench.logged("raised by"))
    #expect(try bench.ask("cancel").output.contains("nobody had been told"))
    try bench.configure(DaemonBench.config([phone.url]))
    bench.signal(SIGHUP)
    #expect(bench.notified("READY=1") != nil)
    _ = try bench.ask("press", "--drill", "--wait", "60s")

    #expect(phone.received.map(\.kind) == ["drill"])
  }

  @Test func anOrderlyEndKeepsWhatIsPending() throws {
    let phone = try Phone { _ in .status(503) }
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()
    try bench.press()
    let alert = try #require(phone.wait(for: 1).first?.alert)

    bench.signal(SIGTERM)

    #expect(bench.ended() == 0)
    #expect(bench.notified("STOPPING=1") != nil)
    #expect(!FileManager.default.fileExists(atPath: bench.controlSocket))
    let kept = try bench.ask("alerts", "--json")
    #expect(kept.status == 0)
    #expect(kept.output.contains(alert))
    #expect(kept.output.contains("\"pending\""))
    phone.answer(with: .status(200))
    try bench.start()
    #expect(phone.wait(for: phone.received.count + 1).last?.alert == alert)
  }

  @Test func aPressThatBeginsBeforeTheEndAndEndsBeforeTheStartCounts() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    func button(_ hold: String) throws {
      let plain = DaemonBench.config([phone.url])
      try bench.configure(plain.replacing(#""line": "test""#, with: #""line": "test", "hold": "\#(hold)""#))
    }
    try button("60s")
    try bench.start()
    try bench.edge(true, at: Clocks.now)
    while try bench.status()["button"]?["state"]?.string != "pressed" {}

    bench.signal(SIGTERM)
    #expect(bench.ended() == 0)
    try bench.edge(false, at: Clocks.now)
    try button("0s")
    try bench.start()

    #expect(phone.wait(for: 1).map(\.kind) == ["alert"])
  }

  @Test func aBrokenConfigurationLeavesTheOldOneInForce() throws {
    let (old, new) = (try Phone(), try Phone())
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([old.url]))
    try bench.start()

    try bench.configure("{ \"gateways\": ")
    bench.signal(SIGHUP)
    #expect(bench.notified("RELOADING=1\nMONOTONIC_USEC=") != nil)
    #expect(bench.notified("READY=1") != nil)
    #expect(bench.logged("\(bench.configPath):1:"))
    #expect(try bench.status()["config"]?["source"]?.string == "last-good")
    try bench.press()
    #expect(old.wait(for: 1).count == 1)

    try bench.configure(DaemonBench.config([new.url]))
    bench.signal(SIGHUP)
    #expect(bench.notified("RELOADING=1") != nil)
    #expect(bench.notified("READY=1") != nil)
    #expect(try bench.status()["config"]?["source"]?.string == "file")
    _ = try bench.ask("press", "--drill", "--wait", "60s")
    #expect(new.received.map(\.kind) == ["drill"])
    #expect(old.received.count == 1)
  }

  @Test func aStartWithABrokenConfigurationTakesTheLastGoodOne() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()
    // The store keeps the configuration before it answers this.
    _ = try bench.ask("alerts")
    bench.kill()

    try bench.configure("rubbish")
    try bench.start()
    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    #expect(try bench.status()["config"]?["source"]?.string == "last-good")
  }

  @Test(arguments: [nil, "", "{}", "{ \"gateways\": {}, \"gateways\": {} }"])
  func withoutAnyGoodConfigurationItEndsWith78(_ text: String?) throws {
    let bench = try DaemonBench()
    if let text { try bench.configure(text) }

    try bench.launch()

    #expect(bench.ended() == 78)
    #expect(bench.log.contains(bench.configPath))
  }

  @Test func aSecondDaemonIsRefusedAndTheFirstGoesOn() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    let second = try bench.ask("run", "--config", bench.configPath)

    #expect(second.status == 1)
    #expect(second.errors.contains("another soteriad runs"))
    #expect(try bench.ask("press", "--wait", "60s").status == 0)
  }

  @Test func filesAndSocketAreNobodyElses() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()
    _ = try bench.ask("press", "--wait", "60s")

    #expect(bench.scratch.mode("run/control.sock") == 0o660)
    #expect(bench.scratch.mode("state") == 0o700)
    let kept = try FileManager.default.contentsOfDirectory(atPath: bench.state)
    #expect(Set(kept).isSuperset(of: ["outbox.db", "config.loaded.json"]))
    for name in kept { #expect(bench.scratch.mode("state/\(name)") == 0o600, "\(name)") }
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(bench.scratch.path)/run")
    where name != "control.sock" {
      #expect(bench.scratch.mode("run/\(name)") & 0o077 == 0, "\(name)")
    }
  }

  @Test(arguments: [[], [UInt8](repeating: 0, count: 4096), Array("half a file".utf8)])
  func aDamagedOutboxStopsNoPress(_ rubbish: [UInt8]) throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try FileManager.default.createDirectory(atPath: bench.state, withIntermediateDirectories: true)
    try bench.scratch.put(rubbish, "state/outbox.db")

    try bench.start()
    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
  }

  @Test func aFullDiskStopsNoPressAndIsSaid() throws {
    let phone = try Phone()
    let disk = try Scratch(options: "size=64k")
    disk.fill()
    let bench = try DaemonBench(state: disk.path)
    try bench.configure(DaemonBench.config([phone.url]))

    try bench.start()
    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    let status = try bench.status()
    #expect(status["outbox"]?["durable"] == .bool(false))
    #expect(status["state"]?.string == "degraded")
  }

  @Test func theServiceManagerHearsWhatItNeeds() throws {
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([try Phone().url]))

    try bench.start(environment: ["WATCHDOG_USEC": "100000"])

    let ready = try #require(bench.notifications.last)
    let status = try #require(ready.split(separator: "\n").first { $0.hasPrefix("STATUS=") })
    #expect(status.unicodeScalars.count <= 120 + "STATUS=".count)
    for _ in 0..<3 { #expect(bench.notified("WATCHDOG=1") != nil) }
  }

  @Test func secretsStayInside() throws {
    let secret = "123456:very-secret-token"
    let phone = try Phone { _ in .status(401, body: #"{"ok":false,"description":"\#(secret) is bad"}"#) }
    let bench = try DaemonBench()
    let server = phone.url.replacing("/hook", with: "")
    try bench.configure(
      """
      { "gps": { "host": "127.0.0.1", "port": 1 }, "button": { "line": "test" },
        "gateways": {
          "t": { "type": "telegram", "bot_token": "\(secret)", "url": "\(server)" },
          "gone": { "type": "webhook", "url": "http://127.0.0.1:1/?key=\(secret)" } },
        "contacts": [ { "name": "Mum", "routes": [ { "gateway": "t", "to": 5 }, { "gateway": "gone" } ] } ] }
      """)
    try bench.start(environment: ["SOTERIAD_LOG_LEVEL": "debug"])

    try bench.press()
    #expect(phone.wait(for: 1).first?.head.contains(secret) == true)
    #expect(bench.logged("cannot connect"))
    let said = [
      try bench.ask("status").output, try bench.ask("status", "--json").output,
      try bench.ask("alerts").output, try bench.ask("alerts", "--json").output,
    ]
    bench.signal(SIGTERM)
    _ = bench.ended()

    for text in said + [bench.log] + bench.notifications { #expect(!text.contains("secret")) }
  }

  @Test func coordinatesHaveDecimalPointsInEveryLocale() throws {
    let locales = try Scratch()
    try Scratch.run("localedef", "-i", "de_DE", "-f", "UTF-8", "\(locales.path)/de_DE.UTF-8")
    let report = #"{"class":"TPV","mode":3,"lat":48.149988,"lon":-0.384720,"eph":4.2}"# + "\n"
    let gpsd = try TCPServer { connection, _ in
      TCPServer.sendAll(Array(report.utf8), to: connection)
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    }
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url], gpsPort: gpsd.port))
    try bench.start(environment: [
      "LC_ALL": "de_DE.UTF-8", "LOCPATH": locales.path, "SOTERIAD_LOG_LEVEL": "debug",
    ])
    while try bench.status()["gps"]?["state"]?.string != "fix" { try #require(gpsd.connections < 20) }

    try bench.press()

    let message = try #require(phone.wait(for: 1).first)
    let body = String(decoding: message.body, as: UTF8.self)
    #expect(body.contains(#""lat":48.149988"#) || body.contains(#""lat": 48.149988"#))
    #expect(body.contains("https://maps.google.com/?q=48.149988,-0.384720"))
    #expect(message.text.contains("48.149988, -0.384720"))
  }
}
