/// The shortest timeline that still breaks the same rule. Source: Zeller, Hildebrandt, "Simplifying and Isolating
/// Failure-Inducing Input" (ddmin).
extension Script {
  package func shrunk(breaking rule: String, planted: Planted? = nil) -> Script {
    func breaks(_ script: Script) -> Bool {
      var world = World(script, planted: planted)
      return world.live()?.rule == rule
    }
    var best = self
    var parts = 2
    while best.deeds.count >= 1 {
      let size = max(1, (best.deeds.count + parts - 1) / parts)
      var isShorter = false
      for start in stride(from: 0, to: best.deeds.count, by: size) {
        var candidate = best
        candidate.deeds.removeSubrange(start..<min(start + size, best.deeds.count))
        guard breaks(candidate) else { continue }
        best = candidate
        parts = max(2, parts - 1)
        isShorter = true
        break
      }
      if isShorter { continue }
      if size == 1 { break }
      parts = min(best.deeds.count, parts * 2)
    }
    return best
  }

  /// As Swift, to be pasted as a test.
  package var pasted: String {
    let lines = deeds.map { deed in
      "    Deed(at: \(deed.at), .\(deed.what)),  // \((Int64(deed.at) * 1_000_000).clock)\n"
    }
    let text = """
      @Test func seed\(seed)() {
        let setup = \(setup)
        let script = Script(seed: \(seed), setup: setup, hours: \(hours), deeds: [
      \(lines.joined())  ])
        var world = World(script)
        #expect(world.live() == nil)
      }
      """
    return text.split(separator: "Simulation.").joined()
  }
}
