/// 128 random bits that came in with an event: every jitter and id that the event leads to is made from them,
/// so a run can be replayed.
package struct Entropy: Sendable {
  private var state: (UInt64, UInt64)

  package init(high: UInt64, low: UInt64) {
    state = (high, low)
  }

  /// The next 64 bits. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (SplitMix64).
  package mutating func next() -> UInt64 {
    state.0 &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state.0 ^ state.1
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A fraction in 0..<1.
  package mutating func fraction() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A random span in 0..<limit.
  package mutating func span(below limit: Duration) -> Duration {
    limit * fraction()
  }
}
