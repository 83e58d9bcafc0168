import Simulation
import Testing

/// Timelines in which the simulation found the daemon wrong. `./test` also runs a thousand new ones.
@Suite struct TimelineTests {
  private static func broken(_ setup: Setup, hours: Int = 2, _ deeds: [Deed]) -> Violation? {
    var world = World(Script(seed: 1, setup: setup, hours: hours, deeds: deeds))
    return world.live()
  }

  private static let mum = Setup(people: [Person(id: "mum", routes: "hook")])

  @Test func aFloodThatNobodyCouldReadIsNoPress() {
    let broken = Self.broken(
      Self.mum, [Deed(at: 60_000, .flood(lasting: 900)), Deed(at: 60_064, .stall(lasting: 20_000))])
    #expect(broken == nil)
  }

  @Test func anAllClearGoesByTheRoutesOfToday() {
    let setup = Setup(people: [Person(id: "mum", routes: "telegram")])
    var next = setup
    next.people[0].routes = "sms"
    let broken = Self.broken(
      setup,
      [
        Deed(at: 60_000, .press(held: 60, bounces: 1)), Deed(at: 65_000, .reload(next)),
        Deed(at: 98_000, .cancel),
      ])
    #expect(broken == nil)
  }

  @Test func whatARouteTookThatIsGoneGoesToNoOther() {
    var next = Self.mum
    next.people[0].routes = "freetext telegram"
    let broken = Self.broken(
      Setup(people: [Person(id: "mum", routes: "callmebot sms")]),
      [
        Deed(at: 50_000, .service(.sms, .slow)), Deed(at: 60_000, .press(held: 60, bounces: 0)),
        Deed(at: 62_000, .service(.freetext, .slow)), Deed(at: 65_000, .reload(next)),
      ])
    #expect(broken == nil)
  }

  @Test func aDiskThatHangsBetweenAlertsIsNotCalledDurable() {
    let broken = Self.broken(
      Self.mum,
      [
        Deed(at: 40_000, .service(.hook, .slow)), Deed(at: 50_000, .press(held: 60, bounces: 0)),
        Deed(at: 55_000, .disk(.stalled)), Deed(at: 70_000, .receiver(.standing)),
      ])
    #expect(broken == nil)
  }

  @Test func aPressOverARestartJoinsTheOpenAlert() {
    let broken = Self.broken(
      Self.mum,
      [
        Deed(at: 60_000, .press(held: 60, bounces: 0)), Deed(at: 62_000, .crash(afterActions: 0, back: 5000)),
        // Something to do, in which it dies.
        Deed(at: 62_001, .askHistory), Deed(at: 64_000, .press(held: 60, bounces: 0)),
      ])
    #expect(broken == nil)
  }

  @Test func anAlertWithoutADateStaysInTheHistory() {
    let broken = Self.broken(
      Self.mum, hours: 6,
      [
        Deed(at: 60_000, .network(up: false)), Deed(at: 61_000, .powerCut(afterActions: 0, back: 1000)),
        Deed(at: 400_000, .press(held: 60, bounces: 0)), Deed(at: 410_000, .cancel),
        Deed(at: 10_000_000, .network(up: true)), Deed(at: 10_100_000, .restart),
      ])
    #expect(broken == nil)
  }

  @Test func aSeedAlwaysTellsTheSameStory() {
    func story() -> [String] {
      var world = World(Script(seed: 4, hours: 24), keepsJournal: true)
      _ = world.live()
      return world.journal
    }

    #expect(story().count > 20)
    #expect(story() == story())
  }
}
