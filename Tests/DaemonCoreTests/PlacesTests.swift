import Foundation
import Testing

@testable import DaemonCore

/// The list that is shipped, held against a search through all of it.
@Suite struct PlacesTests {
  private static let bytes = (try? ConfigSample.file("places/places")) ?? []

  private static func read(_ offset: Int, _ count: Int) -> [UInt8]? {
    offset >= 0 && offset + count <= bytes.count ? Array(bytes[offset..<(offset + count)]) : nil
  }

  private static func file() throws -> PlacesFile { try PlacesFile(read: read) }

  /// Every place there is, read without the search.
  private static let all: [Spot] = {
    guard let file = try? file() else { return [] }
    return (0..<PlacesFile.rows).flatMap { row in
      (0..<PlacesFile.columns).flatMap { column in (try? file.places(row: row, column: column)) ?? [] }
    }
  }()

  /// The same spots in every run.
  private struct Dice {
    var state: UInt64 = 4711
    mutating func fraction() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / 0x1p53
    }
    mutating func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
    }
  }

  static let edges: [Spot] = [
    Spot(latitude: 90, longitude: 0), Spot(latitude: -90, longitude: 180),
    Spot(latitude: 89.99, longitude: -180),
    Spot(latitude: 0, longitude: 180), Spot(latitude: 0, longitude: -180),
    Spot(latitude: -18.1, longitude: 179.999),
    Spot(latitude: -18.1, longitude: -179.999), Spot(latitude: 66, longitude: 180),
    Spot(latitude: 52, longitude: 5),
    // Point Nemo, farthest from all land, and places with a cell's corner at their feet.
    Spot(latitude: -48.8767, longitude: -123.3933), Spot(latitude: 45, longitude: 9),
    Spot(latitude: 45.000001, longitude: 8.999999), Spot(latitude: -0.000001, longitude: 0.000001),
  ]

  static let spots: [Spot] = {
    var dice = Dice()
    var spots = edges
    for _ in 0..<60 {
      spots.append(Spot(latitude: dice.number(-90...90), longitude: dice.number(-180...180)))
    }
    for _ in 0..<15 {
      spots.append(Spot(latitude: dice.number(78...90), longitude: dice.number(-180...180)))
      spots.append(Spot(latitude: dice.number(-90 ... -60), longitude: dice.number(-180...180)))
      let east = dice.number(-3...3)
      spots.append(
        Spot(latitude: dice.number(-60...70), longitude: east < 0 ? 180 + east : east - 180))
    }
    // Where people are: near one of the places.
    for _ in 0..<60 where !all.isEmpty {
      let place = all[Int(dice.fraction() * Double(all.count))]
      spots.append(
        Spot(
          latitude: min(max(place.latitude + dice.number(-0.2...0.2), -90), 90),
          longitude: min(max(place.longitude + dice.number(-0.2...0.2), -180), 180)))
    }
    return spots
  }()

  @Test func isTheWholeList() throws {
    #expect(try Self.file().count == 155_210)
    #expect(Self.all.count == 155_210)
    #expect(Self.bytes.count <= 8_000_000)
  }

  /// Chords through the globe: nothing in common with the search's own arithmetic.
  @Test func findsWhatASearchThroughEverythingFinds() throws {
    func vector(_ spot: Spot) -> (x: Double, y: Double, z: Double) {
      let (lat, lon) = (spot.latitude * .pi / 180, spot.longitude * .pi / 180)
      return (cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat))
    }
    let file = try Self.file()
    let places = Self.all.flatMap { spot in
      let place = vector(spot)
      return [place.x, place.y, place.z]
    }
    #expect(Self.spots.count > 150)

    for spot in Self.spots {
      let here = vector(spot)
      var nearest = Double.infinity
      places.withUnsafeBufferPointer { places in
        var index = 0
        while index < places.count {
          let (x, y, z) = (places[index] - here.x, places[index + 1] - here.y, places[index + 2] - here.z)
          let chord = x * x + y * y + z * z
          if chord < nearest { nearest = chord }
          index += 3
        }
      }
      let metres = 2 * asin(min(1, nearest.squareRoot() / 2)) * 6_371_008.8
      let found = try #require(try file.nearest(to: spot))
      #expect(abs(found.distance - metres) < 0.01, "\(spot): \(found.name)")
    }
  }

  struct Known: Sendable, CustomTestStringConvertible {
    let latitude: Double
    let longitude: Double
    let text: String
    var testDescription: String { text }
  }
  static let known: [Known] = [
    Known(latitude: -6.5801, longitude: 106.8039, text: "2.3 km NE Bogor, West Java, Indonesia"),
    Known(latitude: 90, longitude: 0, text: "1310 km N Longyearbyen, Svalbard, Svalbard & Jan Mayen"),
  ]

  @Test(arguments: known)
  func namesPlaceRegionCountryAndDirection(_ known: Known) throws {
    let spot = Spot(latitude: known.latitude, longitude: known.longitude)
    let found = try #require(try Self.file().nearest(to: spot))
    let distance =
      found.distance < 10_000
      ? JSON.fixed(found.distance / 1000, decimals: 1) : "\(Int((found.distance / 1000).rounded()))"
    let region = found.region ?? "-"
    let country = found.country[.english] ?? "-"
    #expect("\(distance) km \(found.direction.rawValue) \(found.name), \(region), \(country)" == known.text)
  }

  @Test func everyCountryHasANameInEveryLanguage() throws {
    let file = try Self.file()
    for spot in Self.spots {
      let found = try #require(try file.nearest(to: spot))
      for language in Language.allCases {
        #expect(found.country[language]?.isEmpty == false, "\(found.name)")
      }
    }
  }

  /// Any single damaged byte is noticed where it matters, and none ends the program.
  @Test func damageIsAFaultAndNeverAWrongName() throws {
    let spot = Spot(latitude: -6.58, longitude: 106.8)
    let whole = try #require(try Self.file().nearest(to: spot))
    // What that one search reads.
    var reads: [Range<Int>] = []
    _ = try PlacesFile(read: { offset, count in
      reads.append(offset..<(offset + count))
      return Self.read(offset, count)
    }).nearest(to: spot)
    #expect(reads.count >= 4)
    for range in reads {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 97) {
        let broken = try? PlacesFile(read: { offset, count in
          guard var bytes = Self.read(offset, count) else { return nil }
          if (offset..<(offset + count)).contains(place) { bytes[place - offset] ^= 0x10 }
          return bytes
        }).nearest(to: spot)
        #expect(broken == nil || broken == whole, "byte \(place)")
      }
    }
  }

  @Test func aFileThatEndsOrIsAnotherOrCannotBeReadIsAFault() throws {
    #expect(throws: PlacesFile.Fault.unreadable) { try PlacesFile(read: { _, _ in nil }) }
    #expect(throws: PlacesFile.Fault.foreign) { try PlacesFile(read: { _, _ in [] }) }
    #expect(throws: PlacesFile.Fault.foreign) {
      try PlacesFile(read: { _, count in [UInt8](repeating: 0x7B, count: count) })
    }
    for length in [0, 8, 700, 751, 800, 40_000, 500_000, 2_000_000, Self.bytes.count - 1] {
      #expect(throws: PlacesFile.Fault.self) {
        _ = try PlacesFile(read: { offset, count in
          offset + count <= length
            ? Self.read(offset, count) : Array(Self.bytes.prefix(length).dropFirst(offset))
        }).nearest(to: Spot(latitude: 52.5, longitude: 13.4))
      }
    }
  }

  struct Forged: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The record's offset of its name, number of its country, and the names.
    let name: UInt8
    let country: UInt8
    let pool: [UInt8]
    var count: UInt8 = 1
    var fault: PlacesFile.Fault? = .damaged
  }
  static let forged: [Forged] = [
    Forged(testDescription: "as it should be", name: 16, country: 0, pool: [1, 0x41], fault: nil),
    Forged(testDescription: "a name beyond the end", name: 99, country: 0, pool: [1, 0x41]),
    Forged(testDescription: "a name that goes beyond the end", name: 16, country: 0, pool: [9, 0x41]),
    Forged(testDescription: "a name that is no UTF-8", name: 16, country: 0, pool: [1, 0xC3]),
    Forged(testDescription: "a country that there is not", name: 16, country: 7, pool: [1, 0x41]),
    Forged(testDescription: "fewer places than it says", name: 16, country: 0, pool: [1, 0x41], count: 3),
  ]

  /// All sums are right, and still nothing is believed.
  @Test(arguments: forged) func aListThatIsWrongFromTheStartIsAFaultToo(_ row: Forged) {
    let record =
      Self.number(100_000, 4) + Self.number(200_000, 4) + [row.name, 0, 0xFF, 0xFF, row.country, 0]
    let countries = [1, 0, 1] + Array("enID".utf8) + [9] + Array("Indonesia".utf8)
    let bytes = Self.list([row.count, 0] + record + row.pool, countries)

    let found = Result { () throws(PlacesFile.Fault) in
      try PlacesFile(read: { bytes.count < $0 + $1 ? nil : Array(bytes[$0..<($0 + $1)]) })
        .nearest(to: Spot(latitude: 1.5, longitude: 2.5))
    }

    let place = NearestPlace(
      name: "A", country: [.english: "Indonesia"],
      distance: Spot(latitude: 1.5, longitude: 2.5).distance(
        to: Spot(latitude: 1, longitude: 2)), direction: .northEast)
    #expect(found == (row.fault.map { .failure($0) } ?? .success(place)))
  }

  @Test func anEmptyListHasNoPlace() throws {
    let bytes = Self.list([], [0, 0, 0])
    let file = try PlacesFile(read: { Array(bytes[$0..<($0 + $1)]) })
    #expect(try file.nearest(to: Spot(latitude: 1.5, longitude: 2.5)) == nil)
  }

  private static func number(_ number: UInt32, _ length: Int) -> [UInt8] {
    (0..<length).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
  }

  /// A list with the one cell that begins at 1° north and 2° east.
  private static func list(_ cell: [UInt8], _ countries: [UInt8]) -> [UInt8] {
    let base = UInt32(752 + 180 * 2884)
    var rows: [[UInt8]] = []
    for row in 0..<180 {
      var (offsets, sums): ([UInt8], [UInt8]) = ([], [])
      for column in 0...360 {
        let isBehind = row > 91 || (row == 91 && column > 182)
        offsets += number(base + (isBehind ? UInt32(cell.count) : 0), 4)
        if column < 360 { sums += number(row == 91 && column == 182 ? Checksum.of(cell) : 0, 4) }
      }
      rows.append(offsets + sums)
    }
    var header = Array("SOTPLACE".utf8) + number(1, 4) + number(1, 4)
    header += number(base + UInt32(cell.count), 4) + number(UInt32(countries.count), 4)
    header += number(Checksum.of(countries), 4)
    for row in rows { header += number(Checksum.of(row), 4) }
    return header + number(Checksum.of(header), 4) + rows.flatMap { $0 } + cell + countries
  }

  /// So few reads of so few bytes that no lookup takes long, however slow the disk.
  @Test func readsLittle() throws {
    var (worst, most) = (0, 0)
    for spot in Self.spots {
      var (reads, bytes) = (0, 0)
      _ = try PlacesFile(read: { offset, count in
        reads += 1
        bytes += count
        return Self.read(offset, count)
      }).nearest(to: spot)
      worst = max(worst, reads)
      most = max(most, bytes)
    }
    #expect(worst < 500 && most < 500_000, "\(worst) reads, \(most) bytes")
  }
}
