/// The list of places in a file: finds the nearest one with a few short reads.
///
/// The globe is cut into cells of one degree, row by row from the south, each row from 180° west. All numbers are
/// little-endian, all sums CRC-32. Made by places/make.
///
///     header     "SOTPLACE", version, number of places, offset, length and sum of the countries, the sum of
///                each of the 180 rows, the sum of the header up to here
///     row        361 offsets: of its cells and of what follows; the sums of its 360 cells
///     cell       number of places (2 bytes); for each 14 bytes: latitude and longitude in 1/100000 degree,
///                offsets in the cell of its name and its region (2 bytes each, 0xFFFF for none), number of its
///                country, 0; then the names, each a length of one byte and UTF-8
///     countries  their number (2 bytes), the number of languages (1), the languages' codes; for each country its
///                code (2) and its names
///
/// Nothing in it is believed: a block whose sum is wrong, or that points outside of itself, is a fault.
package struct PlacesFile {
  /// Reads that many bytes from an offset; nil where it cannot.
  package typealias Read = (_ offset: Int, _ count: Int) -> [UInt8]?

  package enum Fault: Error, Hashable, Sendable {
    case unreadable
    case foreign
    case damaged
  }

  static let magic = Array("SOTPLACE".utf8)
  static let version = 1
  static let rows = 180
  static let columns = 360
  private static let headerLength = magic.count + 5 * 4 + rows * 4 + 4
  private static let rowLength = (2 * columns + 1) * 4
  private static let recordLength = 14
  /// No cell and no list of countries is longer: a length beyond it is damage.
  private static let blockLimit = 1 << 16

  private let read: Read
  private let header: Bytes
  /// How many places there are.
  package let count: Int
  private let countries: (offset: Int, length: Int, sum: UInt32)

  package init(read: @escaping Read) throws(Fault) {
    self.read = read
    guard let bytes = read(0, Self.headerLength) else { throw .unreadable }
    guard bytes.count == Self.headerLength, bytes.starts(with: Self.magic) else { throw .foreign }
    header = Bytes(bytes)
    let sum = try header.number(at: Self.headerLength - 4)
    guard Checksum.of(bytes.dropLast(4)) == sum else { throw .damaged }
    guard try header.number(at: 8) == Self.version else { throw .foreign }
    count = Int(try header.number(at: 12))
    countries = (Int(try header.number(at: 16)), Int(try header.number(at: 20)), try header.number(at: 24))
  }

  /// The place nearest to `spot`; nil only where the list is empty.
  package func nearest(to spot: Spot) throws(Fault) -> NearestPlace? {
    var search = Search(spot)
    while let wanted = search.next {
      if search.tables[wanted.row] == nil { search.tables[wanted.row] = try table(wanted.row) }
      guard let row = search.tables[wanted.row] else { continue }
      if let block = try cell(wanted.column, row) { try search.take(block) }
    }
    guard let (found, distance, block) = search.best else { return nil }
    let region = found.region == 0xFFFF ? nil : try block.text(at: found.region)
    return NearestPlace(
      name: try block.text(at: found.name), region: region, country: try country(found.country),
      distance: distance, direction: found.spot.direction(to: spot))
  }

  /// Every place of one cell: for tests, which search without cleverness.
  func places(row: Int, column: Int) throws(Fault) -> [Spot] {
    guard let block = try cell(column, try table(row)) else { return [] }
    return try block.records().map(\.spot)
  }

  private func table(_ row: Int) throws(Fault) -> Bytes {
    try block(
      at: Self.headerLength + row * Self.rowLength, length: Self.rowLength,
      sum: try header.number(at: 28 + row * 4))
  }

  /// nil where the cell is empty.
  private func cell(_ column: Int, _ table: Bytes) throws(Fault) -> Bytes? {
    let (start, end) = (Int(try table.number(at: column * 4)), Int(try table.number(at: column * 4 + 4)))
    guard start != end else { return nil }
    return try block(
      at: start, length: end - start, sum: try table.number(at: (Self.columns + 1 + column) * 4))
  }

  private func block(at offset: Int, length: Int, sum: UInt32) throws(Fault) -> Bytes {
    guard (0...Self.blockLimit).contains(length) else { throw .damaged }
    guard let bytes = read(offset, length) else { throw .unreadable }
    guard bytes.count == length, Checksum.of(bytes) == sum else { throw .damaged }
    return Bytes(bytes)
  }

  private func country(_ number: Int) throws(Fault) -> [Language: String] {
    let block = try block(at: countries.offset, length: countries.length, sum: countries.sum)
    let total = Int(try block.short(at: 0))
    let languages = Int(try block.byte(at: 2))
    guard number < total else { throw .damaged }
    var place = 3 + 2 * languages
    var names: [Language: String] = [:]
    for index in 0...number {
      place += 2
      for language in 0..<languages {
        if index == number {
          let code = String(
            decoding: [try block.byte(at: 3 + 2 * language), try block.byte(at: 4 + 2 * language)],
            as: UTF8.self)
          if let known = Language(rawValue: code) { names[known] = try block.text(at: place) }
        }
        place += 1 + Int(try block.byte(at: place))
      }
    }
    return names
  }

  /// Which cells to look at, nearest first, and the best found in them.
  private struct Search {
    let spot: Spot
    private let row: Int
    private let column: Int
    private var ring = 0
    private var pending: [(row: Int, column: Int)]
    var tables: [Int: Bytes] = [:]
    private(set) var best: (Record, distance: Double, Bytes)?

    init(_ spot: Spot) {
      let east = spot.longitude >= 180 ? spot.longitude - 360 : spot.longitude
      self.spot = Spot(latitude: spot.latitude, longitude: east)
      row = min(max(Int((spot.latitude + 90).rounded(.down)), 0), PlacesFile.rows - 1)
      column = min(max(Int((east + 180).rounded(.down)), 0), PlacesFile.columns - 1)
      pending = [(row, column)]
    }

    /// The next cell that may hold a nearer place; nil when none can.
    var next: (row: Int, column: Int)? {
      mutating get {
        repeat {
          while let cell = pending.popLast() {
            if reach(cell) < (best?.distance ?? .infinity) { return cell }
          }
        } while widen()
        return nil
      }
    }

    /// Goes on to the next ring. Returns whether it may hold a nearer place.
    private mutating func widen() -> Bool {
      // Cells beyond the ring differ by at least so many degrees of latitude or of longitude.
      let beyond = min(Spot.distance(ofParallels: Double(ring)), spot.distance(toMeridian: Double(ring)))
      guard beyond < best?.distance ?? .infinity, ring < PlacesFile.columns / 2 else { return false }
      ring += 1
      pending = cells(of: ring)
      return true
    }

    /// The cells whose row or column is `ring` away, and the other no farther.
    private func cells(of ring: Int) -> [(row: Int, column: Int)] {
      var cells: [(row: Int, column: Int)] = []
      let rows = max(row - ring, 0)...min(row + ring, PlacesFile.rows - 1)
      for row in rows {
        // The whole row at the ring's ends, its two sides between them.
        let isEnd = abs(row - self.row) == ring
        let limit = best?.distance ?? .infinity
        if reach(ofRow: row) >= limit { continue }
        for offset in isEnd ? Array(-ring...ring) : [-ring, ring] {
          // The last ring of all meets itself on the other side of the globe.
          if offset == PlacesFile.columns / 2 { continue }
          cells.append((row, (column + offset + 2 * PlacesFile.columns) % PlacesFile.columns))
        }
      }
      return cells
    }

    /// Metres to the cell, never too many.
    private func reach(_ cell: (row: Int, column: Int)) -> Double {
      let west = Double(cell.column) - 180
      var degrees = 0.0
      if !(west...west + 1).contains(spot.longitude) {
        let sides = [west, west + 1].map { side in
          let apart = abs(side - spot.longitude)
          return min(apart, 360 - apart)
        }
        degrees = min(sides[0], sides[1])
      }
      return max(reach(ofRow: cell.row), spot.distance(toMeridian: degrees))
    }

    private func reach(ofRow row: Int) -> Double {
      let south = Double(row) - 90
      return Spot.distance(ofParallels: max(south - spot.latitude, spot.latitude - south - 1))
    }

    mutating func take(_ block: Bytes) throws(Fault) {
      for record in try block.records() {
        let distance = spot.distance(to: record.spot)
        if distance < best?.distance ?? .infinity { best = (record, distance, block) }
      }
    }
  }

  private struct Record {
    var spot: Spot
    var name: Int
    var region: Int
    var country: Int
  }

  /// A block whose sum is right; reading beyond its end is a fault all the same.
  private struct Bytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func byte(at offset: Int) throws(Fault) -> UInt8 {
      guard bytes.indices.contains(offset) else { throw .damaged }
      return bytes[offset]
    }

    func short(at offset: Int) throws(Fault) -> UInt16 {
      UInt16(try byte(at: offset)) | UInt16(try byte(at: offset + 1)) << 8
    }

    func number(at offset: Int) throws(Fault) -> UInt32 {
      UInt32(try short(at: offset)) | UInt32(try short(at: offset + 2)) << 16
    }

    /// A length and that many bytes of UTF-8.
    func text(at offset: Int) throws(Fault) -> String {
      let end = offset + 1 + Int(try byte(at: offset))
      guard end <= bytes.count, let text = String(validating: bytes[(offset + 1)..<end], as: UTF8.self) else {
        throw .damaged
      }
      return text
    }

    func records() throws(Fault) -> [Record] {
      var records: [Record] = []
      for index in 0..<Int(try short(at: 0)) {
        let start = 2 + index * PlacesFile.recordLength
        let spot = Spot(
          latitude: Double(Int32(bitPattern: try number(at: start))) / 100_000,
          longitude: Double(Int32(bitPattern: try number(at: start + 4))) / 100_000)
        records.append(
          Record(
            spot: spot, name: Int(try short(at: start + 8)), region: Int(try short(at: start + 10)),
            country: Int(try byte(at: start + 12))))
      }
      return records
    }
  }
}
