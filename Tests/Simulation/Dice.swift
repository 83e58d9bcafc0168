/// Every random choice of a simulation: the same seed gives the same world.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (SplitMix64).
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  /// Dice for one moment and purpose: what is left out of a timeline changes no throw elsewhere in it.
  init(_ seed: UInt64, _ moment: Int64, _ purpose: Int) {
    state =
      seed ^ UInt64(bitPattern: moment) &* 0xD6E8_FEB8_6659_FD93 ^ UInt64(purpose) &* 0xA076_1D64_78BD_642F
    state = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func happens(_ percent: Int) -> Bool { within(1...100) <= percent }

  mutating func pick<Option>(_ options: [Option]) -> Option { options[within(0...options.count - 1)] }
}
