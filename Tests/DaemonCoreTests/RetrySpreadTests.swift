import Foundation
import Testing

@testable import DaemonCore

/// Ten thousand wearables, pressed in the same moment, while the gateway that all of them use is down.
@Suite struct RetrySpreadTests {
  static let devices = 10_000
  static let outages: [Duration] = [.seconds(3600), .seconds(10_800)]

  /// `SOTERIAD_CURVE` names a file for the first hour's counts: `./bench --curve` draws them.
  @Test(arguments: outages)
  func theyDoNotComeBackTogether(outage: Duration) throws {
    let arrivals = (0..<Self.devices).map { firstTry(of: $0, after: outage) }

    let latest = try #require(arrivals.max())
    var perSecond = [Int](repeating: 0, count: Int(latest.wholeSeconds) + 1)
    for arrival in arrivals { perSecond[Int(arrival.wholeSeconds)] += 1 }
    let mean = Double(Self.devices) / Double(perSecond.count)
    let peak = try #require(perSecond.max())
    #expect(Double(peak) <= 3 * mean, "peak \(peak), mean \(mean) over \(perSecond.count) s")
    // A crowd that trickled in for hours would be spread, but it would be no help either.
    #expect(latest <= RetryPolicy.patient)
    if let path = ProcessInfo.processInfo.environment["SOTERIAD_CURVE"], outage == Self.outages[0] {
      let lines = perSecond.map(String.init).joined(separator: "\n")
      try lines.write(toFile: path, atomically: true, encoding: .utf8)
    }
  }

  /// How long after the gateway is back this device tries: each try before that fails at once, which is the worst for
  /// the spread.
  private func firstTry(of device: Int, after outage: Duration) -> Duration {
    var entropy = Entropy(high: UInt64(device), low: 7)
    let back = BootTime.zero + outage
    var delivery = Delivery(
      key: Delivery.Key(alertID: "A", contactID: "mum", sequence: 0), kind: .alert,
      facts: Facts(position: .unknown, battery: nil),
      contact: Contact(name: "Mum", id: "mum", routes: [Route(gateway: "shared")]), created: .zero,
      phase: .trying)
    var now = BootTime.zero
    while now < back {
      delivery.beginRound()
      delivery.routes[0].settle(.retry(reason: "down", after: nil), at: now, cap: .seconds(3600))
      delivery.endRound(at: now, fraction: entropy.fraction())
      guard case .waiting(let until) = delivery.phase else { break }
      now = until
    }
    return now - back
  }
}
