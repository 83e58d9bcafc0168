import DaemonCore
import Testing

@testable import soteriad

@Suite struct InvocationTests {
  private func asked(_ arguments: String...) throws -> (Command, json: Bool)? {
    guard case .ask(let command, let json) = try Invocation(arguments).verb else { return nil }
    return (command, json)
  }

  @Test func noCommandRunsTheDaemon() throws {
    let invocation = try Invocation(["--config", "/a", "--state-directory=/b", "--runtime-directory", "/c"])

    guard case .run = invocation.verb else {
      Issue.record("not run")
      return
    }
    #expect(invocation.config == "/a")
    #expect(invocation.directories.state == "/b")
    #expect(invocation.directories.runtime == "/c")
  }

  @Test func commandsCarryTheirOptions() throws {
    #expect(try asked("press")?.0 == .press(drill: false, wait: nil))
    #expect(try asked("press", "--drill", "--wait=2m")?.0 == .press(drill: true, wait: .seconds(120)))
    #expect(try asked("test-button")?.0 == .testButton(for: .seconds(30)))
    #expect(try asked("test-button", "--for", "5s")?.0 == .testButton(for: .seconds(5)))
    #expect(try asked("alerts")?.0 == .alerts(id: nil))
    #expect(try asked("alerts", "--json", "01J")?.0 == .alerts(id: "01J"))
    #expect(try asked("alerts", "--json", "01J")?.json == true)
    #expect(try asked("status")?.json == false)
  }

  @Test func optionsMayStandBeforeTheCommand() throws {
    #expect(try asked("--json", "status")?.json == true)
    #expect(try asked("--wait", "2m", "press", "--drill")?.0 == .press(drill: true, wait: .seconds(120)))
    #expect(try asked("alerts", "--", "--json")?.0 == .alerts(id: "--json"))
    let check = try Invocation(["--config", "run", "check"])
    #expect(check.config == "run")
    guard case .check(online: false) = check.verb else {
      Issue.record("not check")
      return
    }
    #expect(throws: Invocation.UsageError.self) { try Invocation(["--online", "status"]) }
  }

  @Test func placesComeFromTheServiceManagerOrAreTheUsualOnes() throws {
    let places = ["--runtime-directory", "/nonexistent"]
    let usual = try Program.run(["alerts"] + places)
    let first = try Program.run(
      ["alerts"] + places, environment: ["STATE_DIRECTORY": "/proc/self/status/a:/b"])
    let socket = try Program.run(["status"], environment: ["RUNTIME_DIRECTORY": "/nowhere/r:/b"])

    #expect(usual.status == 0 || usual.errors.contains("/var/lib/soteria"))
    #expect(first.errors.contains("/proc/self/status/a/outbox.db"))
    #expect(socket.errors.contains("/nowhere/r/control.sock"))
  }
}
