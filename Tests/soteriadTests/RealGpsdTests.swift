import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// Receivers as they are, through a real gpsd.
@Suite struct RealGpsdTests {
  struct Place: Sendable {
    var latitude: Double
    var longitude: Double

    init(_ latitude: Double, _ longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }

    func isNear(_ fix: Fix?) -> Bool {
      guard let fix else { return false }
      return abs(fix.latitude - latitude) < 0.001 && abs(fix.longitude - longitude) < 0.001
    }
  }

  /// Sentences of one second, `TIME` standing for it.
  struct Receiver: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bodies: [String]
    /// Said before, until there is a fix.
    var before: [String] = []
    /// As they stand, without a checksum.
    var raw = ""
    var place: Place?

    init(_ name: String, _ bodies: [String], before: [String] = [], raw: String = "", at place: Place?) {
      testDescription = name
      self.bodies = bodies
      self.before = before
      self.raw = raw
      self.place = place
    }
  }

  private static let satellites = "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1"
  private static func fix(_ place: String, date: String = "230324") -> [String] {
    [
      "GPRMC,TIME,A,\(place),0.4,84.4,\(date),,,A", "GPGGA,TIME,\(place),1,08,0.9,545.4,M,46.9,M,,",
      satellites,
    ]
  }
  private static let nothing = [
    "GPRMC,TIME,V,,,,,,,230324,,,N", "GPGGA,TIME,,,,,0,00,99.99,,,,,,",
    "GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99",
  ]

  static let receivers = [
    Receiver("all in order", fix("4807.038,N,01131.000,E"), at: Place(48.1173, 11.516667)),
    Receiver(
      "a date 1024 weeks ago", fix("4829.0005,N,00022.0015,E", date: "220899"), at: Place(48.48334, 0.36669)),
    Receiver(
      "a date that is none", fix("4829.0005,N,00022.0015,E", date: "2208-1"), at: Place(48.48334, 0.36669)),
    Receiver("less than a degree west", fix("3908.8199,N,00023.0832,W"), at: Place(39.146998, -0.38472)),
    Receiver("less than a degree south", fix("0030.0000,S,00130.0000,E"), at: Place(-0.5, 1.5)),
    Receiver("south and east", fix("3747.0873,S,17518.8938,E"), at: Place(-37.784788, 175.314897)),
    Receiver("no satellites, empty fields", nothing, at: nil),
    Receiver("satellites without a place", [satellites, "GPGGA,TIME,,,,,1,04,1.7,,M,,M,,"], at: nil),
    Receiver("0,0", fix("0000.0000,N,00000.0000,E"), at: nil),
    Receiver(
      "the signal goes", nothing, before: fix("4807.038,N,01131.000,E"), at: Place(48.1173, 11.516667)),
    Receiver(
      "rubbish and sentences without a checksum between", fix("4807.038,N,01131.000,E"),
      raw: "$POLYN\r\n\u{7}\u{0}~~$GP$GPGGA,12\r\n$GPRMC,,V,,,,,,,,,,N*00\r\n", at: Place(48.1173, 11.516667)),
  ]

  @Test(.enabled(if: RealGpsd.isInstalled, "gpsd is not installed"), arguments: receivers)
  func believesPlacesAndNothingElse(_ receiver: Receiver) throws {
    let gpsd = try RealGpsd()
    var second = 0
    /// Says the sentences again and again, until gpsd has made something of them.
    func say(_ bodies: [String], until isHeard: () -> Bool) {
      let end = second + 200
      while second < end, !isHeard() {
        let time = String(format: "12%02d%02d.00", second / 60, second % 60)
        for body in bodies { gpsd.say(RealGpsd.sentence(body.replacing("TIME", with: time)).utf8) }
        gpsd.say(receiver.raw.utf8)
        second += 1
      }
    }
    if !receiver.before.isEmpty { say(receiver.before) { gpsd.store.newest != nil } }
    let before = gpsd.reports.count
    say(receiver.bodies) { gpsd.reports.count >= before + 10 }
    gpsd.finish()

    #expect(!gpsd.reports.isEmpty)
    #expect(gpsd.reports.allSatisfy { $0.device == gpsd.device })
    #expect(gpsd.rubbish == 0)
    if let place = receiver.place {
      #expect(gpsd.places.allSatisfy(place.isNear), "\(gpsd.places)")
      #expect(place.isNear(gpsd.store.newest?.fix))
    } else {
      #expect(gpsd.places.isEmpty)
    }
  }

  // MARK: logs of receivers

  /// `NMEA_LOGS`, or `nmea` in a folder beside the project's: logs of gpsd's own tests (`test/daemon`). The
  /// table above holds receivers of the same kinds, so nothing rests on the copy.
  static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["NMEA_LOGS"] { return URL(fileURLWithPath: path) }
    let beside = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    let siblings = try? FileManager.default.contentsOfDirectory(at: beside, includingPropertiesForKeys: nil)
    return siblings?.sorted { $0.path < $1.path }.map { $0.appendingPathComponent("nmea") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let logs: [String] = {
    guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return []
    }
    return names.filter { $0.hasSuffix(".log") }.sorted()
  }()

  /// Where each log ends; nil where it never has a fix. Of another log only the sanity is judged.
  static let ends: [String: Place?] = [
    "april6_2019.log": Place(48.48334, 0.36669), "bu303-nofix.log": nil,
    "bu353s4.log": Place(-37.7848, 175.3149), "foretrex-201.log": Place(55.07391, 10.42564),
    "gp-320fw-2019-04-07-coldboot.log": Place(48.14999, 11.58466),
    "magellan315.log": Place(39.147, -0.38472), "mtk-3301.log": Place(52.21636, 6.88508),
    "navisys-gr701w.log": Place(46.40464, -117.02046), "nmea-fuzzy-cases.log": Place(41.57503, -93.7506),
    "quectel-eg25-g.log": Place(36.7638, 31.41088), "tcp-torture.log": Place(20.6288, -87.06808),
    "ublox-lea-4h.log": Place(49.12636, -122.71001), "ublox-lea-5q.log": nil,
  ]

  @Test(
    .enabled(
      if: RealGpsd.isInstalled && folder != nil, "no gpsd, or no nmea beside the project; set NMEA_LOGS"),
    arguments: logs)
  func endsWhereTheReceiverWas(_ name: String) throws {
    let folder = try #require(Self.folder)
    let gpsd = try RealGpsd()
    for piece in Self.pieces(try Data(contentsOf: folder.appendingPathComponent(name))) { gpsd.say(piece) }
    gpsd.finish()

    #expect(!gpsd.reports.isEmpty)
    #expect(gpsd.rubbish == 0)
    for fix in gpsd.places {
      #expect((-90...90).contains(fix.latitude) && (-180...180).contains(fix.longitude))
      #expect(abs(fix.latitude) > 0.05 || abs(fix.longitude) > 0.05)
    }
    switch Self.ends[name] {
    case .some(.some(let place)): #expect(place.isNear(gpsd.store.newest?.fix), "\(gpsd.places.suffix(3))")
    case .some(.none): #expect(gpsd.places.isEmpty)
    case .none: break
    }
  }

  /// A log without its head of comments, cut at line ends and where its head says that writes were cut.
  private static func pieces(_ log: Data) -> [[UInt8]] {
    var body = Array(log)[...]
    var head = ""
    while body.first == UInt8(ascii: "#") {
      let line = body.prefix { $0 != 0x0A }
      head += String(decoding: line, as: UTF8.self) + "\n"
      body = body.dropFirst(line.count + 1)
    }
    let cut = head.range(of: "Delay-Cookie: ").flatMap { head[$0.upperBound...].utf8.first }
    var pieces: [[UInt8]] = [[]]
    for byte in body {
      if byte != cut { pieces[pieces.count - 1].append(byte) }
      if byte == 0x0A || byte == cut || pieces[pieces.count - 1].count == 200 { pieces.append([]) }
    }
    return pieces.filter { !$0.isEmpty }
  }
}
