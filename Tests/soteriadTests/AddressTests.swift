import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// Addresses through the whole program: a real list, a server that is a stand-in.
@Suite struct AddressTests {
  private static let address =
    #"{"lat":"-6.58","lon":"106.80","display_name":"Jalan Pajajaran 5, Bogor, Indonesia"}"#

  /// A daemon with a fix north-east of Bogor.
  private static func bench(_ geocoder: String, _ phone: Phone) throws -> (DaemonBench, TCPServer) {
    let report = #"{"class":"TPV","mode":3,"lat":-6.5801,"lon":106.8039,"eph":4.2}"# + "\n"
    let gpsd = try TCPServer { connection, _ in
      TCPServer.sendAll(Array(report.utf8), to: connection)
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
    }
    let bench = try DaemonBench()
    let config = DaemonBench.config([phone.url], gpsPort: gpsd.port)
    try bench.configure(
      config.replacingOccurrences(of: #""alert": {},"#, with: #""geocoder": \#(geocoder),"#))
    try bench.start()
    while try bench.status()["gps"]?["state"]?.string != "fix" { try #require(gpsd.connections < 20) }
    return (bench, gpsd)
  }

  private static func list(_ path: String) -> String {
    #"{ "type": "places", "deadline": "30s", "places": "\#(path)" }"#
  }

  @Test func theListNamesThePlaceWithoutANetwork() throws {
    let phone = try Phone()
    let (bench, _) = try Self.bench(Self.list(Program.source("places/places")), phone)

    try bench.press()

    let message = try #require(phone.wait(for: 1).first)
    #expect(message.text.contains("\n2.3 km NE of Bogor, West Java, Indonesia\n"))
    #expect(message.json?["address"] == .string("2.3 km NE of Bogor, West Java, Indonesia"))
  }

  @Test func aListThatIsDamagedStopsNothing() throws {
    let phone = try Phone()
    let scratch = try Scratch()
    try scratch.put([UInt8](repeating: 0xA5, count: 5000), "places")
    let (bench, _) = try Self.bench(Self.list("\(scratch.path)/places"), phone)

    try bench.press()

    let message = try #require(phone.wait(for: 1).first)
    #expect(message.json?["address"] == .null && message.json?["position"]?["lat"] != nil)
    #expect(bench.logged("places is no list of places of this version"))
    let problems = try #require(try bench.status()["problems"]?.array).compactMap(\.string)
    #expect(problems.contains { $0.contains("no list of places") && $0.contains("soteriad-places") })
  }

  @Test func aServersAddressStandsInTheMessageAndTheServerKnowsWhoAsks() throws {
    let phone = try Phone()
    let server = try Phone { _ in .status(200, body: Self.address) }
    let geocoder =
      #"{ "type": "nominatim", "url": "\#(server.url)", "contact": "me@example.org", "deadline": "30s" }"#
    let (bench, _) = try Self.bench(geocoder, phone)

    try bench.press()

    let message = try #require(phone.wait(for: 1).first)
    #expect(message.text.contains("\nNear: Jalan Pajajaran 5, Bogor, Indonesia\n"))
    let asked = try #require(server.received.first)
    #expect(asked.header("user-agent") == "soteriad/\(soteriadVersion) (me@example.org)")
    #expect(
      asked.head.contains(
        "/hook/reverse?format=jsonv2&addressdetails=0&zoom=18&lat=-6.580100&lon=106.803900 "))
    #expect(server.received.count == 1)
  }

  @Test(arguments: [true, false]) func aServerThatIsSilentOrGoneHoldsNothingUp(isGone: Bool) throws {
    let phone = try Phone()
    let server = try Phone { _ in .silence }
    let url = isGone ? "http://geocoder.invalid" : server.url
    let list = Program.source("places/places")
    let geocoder =
      #"{ "type": "photon", "url": "\#(url)", "contact": "me@example.org", "deadline": "10s", "places": "\#(list)" }"#
    let (bench, _) = try Self.bench(geocoder, phone)

    try bench.press()

    let message = try #require(phone.wait(for: 1).first)
    #expect(message.json?["address"] == .string("2.3 km NE of Bogor, West Java, Indonesia"))
  }

  @Test func aPageInsteadOfAnAddressIsNotPassedOn() throws {
    let phone = try Phone()
    let server = try Phone { _ in .status(403, body: "<html><body>Access blocked</body></html>") }
    let geocoder =
      #"{ "type": "nominatim", "url": "\#(server.url)", "deadline": "30s", "places": "/nowhere" }"#
    let (bench, _) = try Self.bench(geocoder, phone)

    try bench.press()

    let message = try #require(phone.wait(for: 1).first)
    #expect(message.json?["address"] == .null)
    #expect(!String(decoding: message.body, as: UTF8.self).contains("html"))
    #expect(bench.logged("geocoder: no address: "))
  }
}
