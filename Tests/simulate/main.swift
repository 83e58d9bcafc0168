import Glibc
import Simulation

/// Runs the simulation: endless, a seed, or a number of seeds; or shows that the rules find planted faults.
struct Call {
  var seed: UInt64?
  var count: UInt64?
  var hours = 168
  var isPlanted = false
}

let usage = "usage: simulate [SEED] [--hours N] [--seeds N] [--planted]"

func parse(_ arguments: [String]) -> Call? {
  var call = Call()
  var rest = arguments[...]
  while let word = rest.popFirst() {
    switch word {
    case "--planted": call.isPlanted = true
    case "--hours":
      guard let hours = rest.popFirst().flatMap({ Int($0) }), (1...8760).contains(hours) else { return nil }
      call.hours = hours
    case "--seeds":
      guard let count = rest.popFirst().flatMap({ UInt64($0) }), count > 0 else { return nil }
      call.count = count
    default:
      guard call.seed == nil, let seed = UInt64(word) else { return nil }
      call.seed = seed
    }
  }
  return call
}

/// Says what a seed breaks, with the shortest timeline that still does. Returns whether it breaks nothing.
func passes(_ seed: UInt64, _ call: Call, isShown: Bool) -> Bool {
  let script = Script(seed: seed, hours: call.hours)
  var world = World(script)
  let violation = world.live()
  guard let violation else {
    guard world.wakes > 0 else {
      print("seed \(seed): the daemon never woke, so nothing is shown")
      return false
    }
    if isShown {
      print(
        "seed \(seed): \(script.deeds.count) deeds, \(world.wakes) wake-ups, \(world.letters) requests: all rules kept"
      )
    }
    return true
  }
  print("seed \(seed) breaks \"\(violation.rule)\": \(violation.complaint), at \(violation.moment)")
  let shortest = script.shrunk(breaking: violation.rule)
  var again = World(shortest, keepsJournal: true)
  let last = again.live() ?? violation
  print("the shortest timeline that does:\n")
  print(again.journal.suffix(80).joined(separator: "\n"))
  print("\n\(last.moment) \(last.complaint)\n\nas a test:\n\n\(shortest.pasted)\n")
  return false
}

/// Whether every planted fault is found, by its own rule.
func findsPlanted(_ call: Call) -> Bool {
  var isWhole = true
  for planted in Planted.allCases {
    var found: UInt64?
    for seed in UInt64(1)...200 where found == nil {
      var world = World(Script(seed: seed, hours: call.hours), planted: planted)
      if world.live()?.rule == planted.rule { found = seed }
    }
    print(
      "\(planted.rawValue): \(found.map { "found by \"\(planted.rule)\" with seed \($0)" } ?? "NOT FOUND by \"\(planted.rule)\"")"
    )
    isWhole = isWhole && found != nil
  }
  return isWhole
}

func run(_ call: Call) -> Bool {
  if call.isPlanted { return findsPlanted(call) }
  if let seed = call.seed, call.count == nil { return passes(seed, call, isShown: true) }
  var seed = call.seed ?? 1
  let last = call.count.map { seed + $0 - 1 } ?? .max
  var failed: [UInt64] = []
  while seed <= last {
    if !passes(seed, call, isShown: seed % 100 == 0) { failed.append(seed) }
    if failed.count == 5 { break }
    seed += 1
    fflush(nil)
  }
  print(failed.isEmpty ? "all seeds kept all rules" : "seeds that broke a rule: \(failed)")
  return failed.isEmpty
}

guard let call = parse(Array(CommandLine.arguments.dropFirst())) else {
  print(usage)
  exit(2)
}
exit(run(call) ? 0 : 1)
