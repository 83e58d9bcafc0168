import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct PlacesSourceTests {
  private static let list = Program.source("places/places")
  private static let bogor = Spot(latitude: -6.5801, longitude: 106.8039)

  /// The results by their numbers, once there are as many.
  private static func results(
    _ source: PlacesSource, _ count: Int
  ) -> [Int: Result<NearestPlace?, PlacesFile.Fault>] {
    var results: [Int: Result<NearestPlace?, PlacesFile.Fault>] = [:]
    while results.count < count, TCPServer.isReadable(source.descriptor) {
      if case .placeFound(let number, let result)? = source.finished() { results[number] = result }
    }
    return results
  }

  @Test func findsWhatIsOnTheDisk() throws {
    let source = try PlacesSource()
    #expect(source.search(1, Self.bogor, in: Self.list).isEmpty)

    let place = try #require(try Self.results(source, 1)[1]?.get())
    #expect(place.name == "Bogor" && place.region == "West Java" && place.country[.english] == "Indonesia")
    #expect(source.finished() == nil)
  }

  @Test func whateverIsNoListIsAFaultAndNoEnd() throws {
    let scratch = try Scratch()
    try scratch.put(Array("{}".utf8), "short")
    try scratch.put([UInt8](repeating: 0x53, count: 100_000), "long")
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: Self.list)))
    try scratch.put(Array(whole.prefix(400_000)), "cut")
    var broken = whole
    for index in stride(from: 752, to: broken.count, by: 4096) { broken[index] ^= 1 }
    try scratch.put(broken, "broken")
    mkdir("\(scratch.path)/folder", 0o755)
    #expect(mkfifo("\(scratch.path)/pipe", 0o600) == 0)
    let source = try PlacesSource()

    for (name, fault) in [
      ("absent", PlacesFile.Fault.unreadable), ("short", .foreign), ("long", .foreign), ("cut", .damaged),
      ("broken", .damaged), ("folder", .unreadable), ("pipe", .unreadable),
    ] {
      _ = source.search(1, Self.bogor, in: "\(scratch.path)/\(name)")
      #expect(Self.results(source, 1)[1] == .failure(fault), "\(name)")
    }
    _ = source.search(2, Self.bogor, in: Self.list)
    #expect(Self.results(source, 1)[2].map { (try? $0.get())?.name } == "Bogor")
  }

  @Test func everySearchIsAnsweredHoweverManyThereAre() throws {
    let source = try PlacesSource()
    var refused = 0
    for number in 1...50 { refused += source.search(number, Self.bogor, in: Self.list).count }

    #expect(Self.results(source, 50 - refused).count == 50 - refused)
    #expect(refused > 0, "the queue has an end")
  }
}
