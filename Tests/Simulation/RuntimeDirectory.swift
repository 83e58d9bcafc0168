import DaemonCore

/// What one run of the daemon leaves there for the next one of the same boot.
struct RuntimeDirectory {
  /// When the button was last seen released, while no press has been handled since.
  private(set) var released: BootTime?
  private var edges: [Edge] = []

  mutating func markReleased(_ instant: BootTime) { released = instant }

  mutating func markPressed() { released = nil }

  mutating func keep(_ begun: [Edge]) { edges = begun }

  /// What was told once is not told again.
  mutating func takeEdges() -> [Edge] {
    defer { edges = [] }
    return edges
  }
}
