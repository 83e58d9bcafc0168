import Foundation
import Testing

@testable import DaemonCore

/// What `soteriad status` says in each state. soteriad(8) shows the same texts, byte for byte.
@Suite struct StatusTextTests {
  struct Named: CustomStringConvertible, Sendable {
    var description: String
    /// What the text must name: the state, the cause, the remedy.
    var parts: [String]
    var world: @Sendable () -> World
  }

  private static let link = ButtonLink(
    description: "gpiochip0 (pinctrl-bcm2711), line 17 (GPIO17)", pressed: false, adopted: false)

  /// Armed, with a position, as it should be.
  private static func armed(_ routes: [[String]] = [["sms"], ["hook"]], fix: Bool = true) -> World {
    var world = World(World.config(routes, button: true))
    world.feed(.gpsOpened(generation: world.engine.gps.generation))
    world.feed(.buttonOpened(link))
    world.engine.buttonHistory.seen = world.engine.button?.settings.fingerprint
    if fix { world.fix() }
    world.run(for: .seconds(1))
    return world
  }

  static let states: [Named] = [
    Named(description: "armed", parts: [": armed", "ready"]) { armed() },
    Named(description: "armed without a position", parts: [": armed", "no position yet"]) {
      armed(fix: false)
    },
    Named(description: "alerting", parts: [": alerting", "Mum: alert accepted", "Dad: alert pending"]) {
      var world = armed()
      world.servers["hook"] = { _ in .silent }
      world.press()
      world.run(for: .seconds(3))
      return world
    },
    Named(description: "testing", parts: [": testing", "raise no alert"]) {
      var world = armed()
      world.feed(.commanded(ClientID(number: 1), .testButton(for: .seconds(30))))
      return world
    },
    Named(description: "chip missing", parts: ["no GPIO chip", "present: ", "remedy: correct button.chip"]) {
      var world = armed()
      world.feed(.buttonVanished)
      world.feed(
        .buttonFailed(.chipMissing(wanted: "pinctrl-bcm2711", present: ["gpiochip0 (pinctrl-rp1)"])))
      return world
    },
    Named(description: "button busy", parts: ["in use by gpio-keys", "remedy: stop that program"]) {
      var world = armed()
      world.feed(.buttonVanished)
      world.feed(.buttonFailed(.busy(line: "line 17 (GPIO17)", consumer: "gpio-keys")))
      return world
    },
    Named(description: "button stuck", parts: ["held down for more than 30 s", "remedy: release it"]) {
      var world = armed()
      world.servers["sms"] = nil
      world.feed(.edges([Edge(pressed: true, at: world.now)], level: true, lost: false))
      world.run(for: .seconds(60))
      return world
    },
    Named(description: "configuration broken", parts: ["last good", "3:5", "remedy: run 'soteriad check'"]) {
      var world = armed()
      world.feed(
        .configRead(
          .broken(problems: ["/etc/soteria.json:3:5: error: contacts: is missing"], fallback: nil)))
      return world
    },
    Named(description: "configuration not reloaded", parts: ["not in force yet", "remedy: run"]) {
      var world = armed()
      world.feed(.configFileChanged(text: "{ }"))
      return world
    },
    Named(description: "disk full", parts: ["no space left", "NOT kept on disk", "remedy: free space"]) {
      var world = armed()
      world.disk = .fails("/var/lib/soteria/outbox.db: no space left on device")
      world.press()
      world.run(for: .seconds(2))
      return world
    },
    Named(
      description: "contact not reached", parts: ["Dad has not been reached", "remedy: check the network"]
    ) {
      var world = armed()
      world.servers["hook"] = { _ in .down }
      world.press()
      world.run(for: .seconds(10))
      return world
    },
    Named(description: "no gpsd", parts: ["no connection to gpsd", "remedy: run 'systemctl status gpsd'"]) {
      var world = armed(fix: false)
      world.feed(.gpsLost(generation: world.engine.gps.generation, reason: "connection refused"))
      return world
    },
    Named(
      description: "no list of places", parts: ["no address", "remedy: install the package soteriad-places"]
    ) {
      var world = armed()
      var config = world.config
      config.geocoder = GeocoderSettings()
      world.places = { _ in .failure(.unreadable) }
      world.reload(config)
      world.run(for: .seconds(1))
      return world
    },
  ]

  static func text(of state: Named) -> String {
    var world = state.world()
    world.feed(.deadline)
    return world.engine.status.text
  }

  @Test(arguments: states) func namesStateCauseAndRemedyAsTheManualShowsThem(_ state: Named) throws {
    let text = Self.text(of: state)

    for part in state.parts { #expect(text.contains(part)) }
    let page = try ManualPage("soteriad.8")
    #expect(page.block(named: state.description) == text)
  }

  @Test func everyTroubleOfALineHasItsRemedy() {
    let failures: [ButtonFailure] = [
      .chipMissing(wanted: "c", present: []), .lineMissing(wanted: "l", detail: ""),
      .busy(line: "l", consumer: "x"), .failed(line: "l", reason: "r"),
    ]
    let remedies = failures.map { Problem.buttonUnavailable($0).remedy }

    #expect(Set(remedies).count == failures.count)
    #expect(remedies[3].contains("button.bias") && remedies[3].contains("permissions"))
  }

  @Test func aButtonThatWasNeverSeenSinceItsConfigurationChangedIsAProblem() {
    var world = Self.armed()
    #expect(!world.engine.status.problems.contains(.buttonNotSeen))
    world.config.button?.line = .offset(18)
    world.reload(world.config)
    world.feed(.buttonOpened(Self.link))
    #expect(world.engine.status.problems.contains(.buttonNotSeen))

    let now = world.now
    world.feed(.edges([Edge(pressed: true, at: now)], level: true, lost: false))
    world.run(for: .seconds(1))
    #expect(!world.engine.status.problems.contains(.buttonNotSeen))
  }

  @Test func statusIsAnsweredForPeopleAndForScripts() {
    var world = Self.armed()

    world.feed(.commanded(ClientID(number: 1), .status))

    #expect(world.replies.count == 1 && world.replies.last?.last == true)
    #expect(world.replies.last?.line["text"]?.string == world.engine.status.text)
    #expect(world.replies.last?.line["json"]?["state"]?.string == "armed")
  }

  @Test func whatDoesNotOutliveAPowerCutIsAProblemUntilItDoes() {
    var world = Self.armed()
    world.feed(.storeDurability(problem: "read-only file system"))
    world.feed(.storeDurability(problem: "read-only file system"))
    #expect(world.engine.status.problems.contains(.notDurable("read-only file system")))
    #expect(world.logs.filter { $0.text == "store: read-only file system" }.map(\.level) == [.error])

    world.feed(.storeDurability(problem: nil))
    #expect(world.engine.status.problems.isEmpty)
    #expect(world.logged(.notice, "survive a power cut again"))
  }

  @Test func aFaultIsAProblemUntilItIsMended() {
    var world = Self.armed()
    for _ in 0..<2 { world.feed(.shellFault(name: "last good configuration", problem: "cannot be kept")) }
    #expect(world.engine.status.problems.contains(.fault("cannot be kept")))
    #expect(world.logs.filter { $0.text == "cannot be kept" }.map(\.level) == [.error])

    world.feed(.shellFault(name: "last good configuration", problem: nil))
    #expect(world.engine.status.problems.isEmpty)
    #expect(world.logged(.notice, "last good configuration: works again"))
  }
}
