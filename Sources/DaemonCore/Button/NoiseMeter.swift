/// Tells a flooding line from a finger by the number of edges a second.
package struct NoiseMeter: Hashable, Sendable {
  /// More than this within a second is no finger: a press and a release with twenty bounces each make 82.
  package static let limit = 200
  /// For how many edges an overflowed queue stands at least: three of them in a second are no finger either.
  package static let overflow = 64
  /// How long it must have been below the limit before the line is called quiet again.
  package static let calm = Duration.seconds(5)

  private var windowStart: BootTime?
  private var count = 0
  private var loudAt: BootTime?

  package init() {}

  /// Edges that arrived by `now`.
  package mutating func edgesSeen(_ number: Int, at now: BootTime) {
    if let start = windowStart, now - start < .seconds(1), now >= start {
      count += number
    } else {
      windowStart = now
      count = number
    }
    if count > Self.limit { loudAt = now }
  }

  package func isNoisy(at now: BootTime) -> Bool {
    guard let loudAt else { return false }
    return now - loudAt < Self.calm
  }

  /// When the line will be called quiet if nothing more comes.
  package func quietAt(after now: BootTime) -> BootTime? {
    guard let loudAt, isNoisy(at: now) else { return nil }
    return loudAt + Self.calm
  }
}
