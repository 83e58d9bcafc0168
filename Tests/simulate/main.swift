import Simulation

let arguments = CommandLine.arguments.dropFirst()
let seed = UInt64(arguments.first ?? "1") ?? 1
var world = World(Script(seed: seed, hours: 168), keepsJournal: true)
let violation = world.live()
print(world.wakes, violation as Any)
if let violation {
  print(world.journal.suffix(60).joined(separator: "\n"))
  print(Script(seed: seed, hours: 168).shrunk(breaking: violation.rule).pasted)
}
