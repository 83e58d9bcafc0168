import Foundation
import Testing

@testable import DaemonCore

/// When a delivery whose every route failed is tried again.
@Suite struct RetryTests {
  struct Bound: CustomStringConvertible, Sendable {
    var round: Int
    var spent: Duration
    var limit: Duration
    var description: String { "round \(round) after \(spent)" }
  }

  @Test(arguments: [
    Bound(round: 1, spent: .zero, limit: .seconds(2)),
    Bound(round: 2, spent: .seconds(3), limit: .seconds(4)),
    Bound(round: 3, spent: .seconds(9), limit: .seconds(8)),
    Bound(round: 5, spent: .seconds(99), limit: .seconds(32)),
    Bound(round: 6, spent: .seconds(99), limit: .seconds(60)),
    Bound(round: 40, spent: .seconds(3599), limit: .seconds(60)),
    Bound(round: 40, spent: .seconds(3600), limit: .seconds(300)),
    Bound(round: -1, spent: .zero, limit: .seconds(2)),
    Bound(round: 1_000_000_000, spent: .seconds(5000), limit: .seconds(300)),
    Bound(round: .max, spent: .seconds(-5), limit: .seconds(60)),
    Bound(round: .min, spent: .zero, limit: .seconds(2)),
  ])
  func waitsBetweenAFifthOfASecondAndTheLimit(_ bound: Bound) {
    for fraction in [-1, 0, 0.25, 0.5, 0.999, 1, 2] {
      let wait = RetryPolicy.wait(round: bound.round, spent: bound.spent, fraction: fraction)
      #expect(wait >= RetryPolicy.floor && wait <= bound.limit)
    }
    #expect(RetryPolicy.wait(round: bound.round, spent: bound.spent, fraction: 1) == bound.limit)
  }

  @Test func neverStopsNorHurriesInTenThousandRounds() {
    var world = World()
    world.config.delivery.expire = .seconds(365 * 86_400)
    world.reload(world.config)
    world.servers["mum.example"] = { _ in .down }
    world.press()
    for _ in 0..<40 where world.sent.count < 10_000 { world.run(for: .seconds(86_400)) }

    let gaps = zip(world.sent.dropFirst(), world.sent).map { $0.at - $1.at }
    #expect(world.sent.count >= 10_000)
    #expect(gaps.allSatisfy { $0 >= .milliseconds(200) && $0 <= .seconds(301) })
  }

  @Test(arguments: [-1, 40, 1_000_000_000, Int.max])
  func toleratesAnyCountOnDisk(_ count: Int) {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(5))
    for index in world.synced.deliveries.indices {
      let document = world.synced.deliveries[index].document
      guard let attempts = JSON(parsing: document)?["attempts"]?.integer else { continue }
      world.synced.deliveries[index].document = document.replacingOccurrences(
        of: "\"attempts\":\(attempts)", with: "\"attempts\":\(count)")
    }
    let before = world.sent.count
    world.restart()
    world.run(for: .seconds(60))

    let gaps = zip(world.sent.dropFirst(before + 1), world.sent.dropFirst(before)).map { $0.at - $1.at }
    #expect(world.sent.count > before + 2)
    #expect(gaps.allSatisfy { $0 >= .milliseconds(200) })
    #expect((world.delivery(id, "mum")?.attempts ?? -1) >= 0)
  }

  struct Asked: CustomStringConvertible, Sendable {
    var headers: [Header]
    var atLeast: Duration
    var atMost: Duration
    var description: String { headers.map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
  }

  @Test(arguments: [
    Asked(headers: [Header("retry-after", "7")], atLeast: .seconds(7), atMost: .seconds(8)),
    Asked(
      headers: [
        Header("date", "Mon, 30 Nov 2026 02:00:00 GMT"),
        Header("retry-after", "Mon, 30 Nov 2026 02:01:30 GMT"),
      ], atLeast: .seconds(90), atMost: .seconds(91)),
    Asked(headers: [Header("retry-after", "86400")], atLeast: .seconds(3600), atMost: .seconds(3601)),
    Asked(headers: [Header("retry-after", "soon")], atLeast: .milliseconds(200), atMost: .seconds(3)),
    Asked(headers: [Header("retry-after", "-5")], atLeast: .milliseconds(200), atMost: .seconds(3)),
    Asked(headers: [], atLeast: .milliseconds(200), atMost: .seconds(3)),
  ])
  func waitsAsLongAsTheServerAsksUpToTheCap(_ asked: Asked) {
    var world = World()
    let busy = Response(status: 429, headers: asked.headers)
    let start = world.now
    world.servers["mum.example"] = { $0.at - start < .milliseconds(150) ? .answers(busy) : .ok }
    let id = world.press()
    world.run(for: .seconds(5000))

    let tries = world.sent.filter { $0.kind == "alert" }.map(\.at)
    #expect(tries.count == 2)
    let between: Duration = tries[1] - tries[0]
    let gap = between - .milliseconds(100)
    #expect(gap >= asked.atLeast && gap <= asked.atMost)
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test(arguments: [Event.networkChanged, .clockStepped])
  func triesAtOnceWhenTheNetworkIsBackOrTheClockIsSet(event: Event) {
    var world = World()
    world.servers["mum.example"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(3600 * 5))
    let before = world.sent.count

    world.servers["mum.example"] = nil
    world.feed(event)
    world.run(for: .seconds(2))
    #expect(world.sent.dropFirst(before).filter { $0.kind == "alert" }.count == 1)
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test func aRestlessNetworkMakesItDueAtMostEveryTenSeconds() {
    var world = World()
    world.servers["mum.example"] = { _ in .answers(Response(status: 503, headers: []), after: .zero) }
    world.press()
    world.run(for: .seconds(3600 * 5))
    let (before, start) = (world.sent.count, world.now)
    for _ in 0..<600 {
      world.feed(.networkChanged)
      world.run(for: .milliseconds(100))
    }

    // Six hurries in a minute; after each, the back-off starts anew with a few short steps.
    #expect(world.now - start == .seconds(60))
    #expect((6...48).contains(world.sent.count - before))
  }

  @Test func aNetworkChangeDoesNotOverrideTheServersWish() {
    var world = World()
    let busy = Response(status: 429, headers: [Header("retry-after", "100")])
    world.servers["mum.example"] = { _ in .answers(busy) }
    world.press()
    world.run(for: .seconds(20))
    world.feed(.networkChanged)
    world.run(for: .seconds(60))

    #expect(world.sent.count == 1)
  }

  @Test func givesUpAtExpiryAndSaysSo() {
    var world = World()
    world.config.delivery.expire = .seconds(3600)
    world.reload(world.config)
    world.servers["mum.example"] = { _ in .down }
    let id = world.press()
    world.run(for: .seconds(3700))

    #expect(world.delivery(id, "mum") == nil)
    #expect(world.history()?.array?.first?["deliveries"]?.array?.first?["state"]?.string == "expired")
    #expect(world.logged(.error, "never got it"))
    let last = world.sent.count
    world.run(for: .seconds(86_400))
    #expect(world.sent.count == last)
  }
}
