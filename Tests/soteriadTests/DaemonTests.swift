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

  @Test func aPressFromBeforeTheStartIsNotLost() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))

    try bench.press()
    try bench.start()

    #expect(phone.wait(for: 1).first?.kind == "alert")
  }

  @Test func aPressWhileTheProcessIsStoppedIsNotLost() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url]))
    try bench.start()

    bench.signal(SIGSTOP)
    try bench.press()
    bench.signal(SIGCONT)

    #expect(phone.wait(for: 1).first?.kind == "alert")
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

  @Test func proxiesOfTheEnvironmentAreUsedUnlessExempt() throws {
    let phone = try Phone()
    let bench = try DaemonBench()
    try bench.configure(DaemonBench.config([phone.url, "http://proxied.invalid/"]))
    try bench.start(environment: [
      "http_proxy": "http://user:secretword@127.0.0.1:1", "NO_PROXY": "127.0.0.1",
    ])

    try bench.press()

    #expect(phone.wait(for: 1).count == 1)
    #expect(bench.logged("cannot connect"))
    #expect(!bench.log.contains("secretword"))
  }
}
