/// The known name that a misspelt one probably means.
enum NearestName {
  /// nil when none is close: at most a third of the letters may differ.
  static func find(_ name: String, among known: [String]) -> String? {
    let scored = known.map {
      (name: $0, distance: distance(Array(name.lowercased()), Array($0.lowercased())))
    }
    guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, min(name.count, best.name.count) / 3 + 1) && name.count <= 40
      ? best.name : nil
  }

  /// Insertions, deletions, replacements and swaps of neighbours between the two. Source: optimal string
  /// alignment distance.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard left.count <= 64, right.count <= 64 else { return Int.max }
    var before = [Int](repeating: 0, count: right.count + 1)
    var row = Array(0...right.count)
    for i in left.indices {
      var next = [i + 1]
      for j in right.indices {
        var cost = min(row[j] + (left[i] == right[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, before[j - 1] + 1)
        }
        next.append(cost)
      }
      before = row
      row = next
    }
    return row[right.count]
  }
}
