/// What moves the contact: the wearer's finger, a spike, a wet plug. One of them at a time.
struct Finger {
  struct Move {
    var pressed: Bool
    var at: Int64
  }

  private(set) var busyUntil: Int64 = 0

  /// A press that bounces at both ends. Returns also when it settled down and up; nil while the contact moves already.
  mutating func press(at now: Int64, held: Int, bounces: Int) -> (moves: [Move], down: Int64, up: Int64)? {
    guard now >= busyUntil else { return nil }
    var moves: [Move] = []
    var at = now
    for _ in 0..<bounces {
      moves += [Move(pressed: true, at: at), Move(pressed: false, at: at + 300_000)]
      at += 700_000
    }
    moves.append(Move(pressed: true, at: at))
    let down = at
    let up = max(now + ms(held), down + 100_000)
    at = up
    for _ in 0..<bounces {
      moves += [Move(pressed: false, at: at), Move(pressed: true, at: at + 400_000)]
      at += 800_000
    }
    moves.append(Move(pressed: false, at: at))
    busyUntil = at + ms(1)
    return (moves, down, up)
  }

  /// None while the contact moves already.
  mutating func spike(at now: Int64, width: Int64) -> [Move] {
    guard now >= busyUntil else { return [] }
    busyUntil = now + width + ms(1)
    return [Move(pressed: true, at: now), Move(pressed: false, at: now + width)]
  }

  /// None while the contact moves already.
  mutating func flood(at now: Int64, lasting: Int64) -> [Move] {
    guard now >= busyUntil else { return [] }
    var moves: [Move] = []
    busyUntil = now
    while busyUntil < now + lasting {
      moves += [Move(pressed: true, at: busyUntil), Move(pressed: false, at: busyUntil + 400_000)]
      busyUntil += 1_100_000
    }
    return moves
  }
}
