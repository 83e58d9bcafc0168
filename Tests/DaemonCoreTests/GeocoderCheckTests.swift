import Foundation
import Testing

@testable import DaemonCore

/// Whether addresses can be told is known before the emergency, and nobody learns where the wearer is by it.
@Suite struct GeocoderCheckTests {
  private static let host = "https://geo.example"

  private static func settings(_ service: GeocoderService?, _ url: String = host) -> GeocoderSettings {
    var settings = GeocoderSettings()
    (settings.service, settings.url, settings.contact) = (service, url, "me@example.org")
    return settings
  }

  private static func probe(_ settings: GeocoderSettings) -> OnlineProbe? {
    var config = World.config()
    config.geocoder = settings
    return OnlineProbe.all(in: config).first(where: \.isOfAddresses)
  }

  /// A wearer far from Greenwich.
  private static func world(_ settings: GeocoderSettings = settings(.nominatim)) -> World {
    var config = World.config([["hook"]])
    config.geocoder = settings
    var world = World(config)
    world.places = { _ in
      .success(NearestPlace(name: "A", region: nil, country: [:], distance: 1, direction: .north))
    }
    world.fix()
    return world
  }

  /// Beside the button's, which nobody configured.
  private static func problems(_ world: World) -> [String] {
    world.engine.status.problems.filter { $0 != .noButton }.map(\.headline)
  }

  private static func asked(_ world: World) -> [Request] {
    world.probed.filter { $0.url.hasPrefix(host) }
  }

  private static func answers(_ status: Int, _ body: String) -> (Request, Bool) -> World.Answer {
    { request, _ in
      request.url.hasPrefix(host) ? .answers(Sample.answer(status, body)) : .answers(Sample.answer(200, "{}"))
    }
  }

  private static let greenwich =
    #"{"display_name":"Blackheath Avenue, London","lat":"51.478","lon":"-0.001"}"#

  @Test(
    arguments: [
      (
        .nominatim, "https://nominatim.openstreetmap.org",
        "https://nominatim.openstreetmap.org/status?format=json"
      ),
      (
        .nominatim, "https://h/v1?key=k",
        "https://h/v1/reverse?key=k&format=jsonv2&addressdetails=0&zoom=18&lat=51.477900&lon=-0.001500"
      ),
      (
        .photon, "https://photon.komoot.io",
        "https://photon.komoot.io/reverse?limit=1&lat=51.477900&lon=-0.001500"
      ),
    ] as [(GeocoderService, String, String)])
  func asksWhatTheServiceAllows(service: GeocoderService, url: String, asked: String) throws {
    let request = try #require(Self.probe(Self.settings(service, url))).request

    #expect(request.method == "GET" && request.url == asked)
    #expect(request.headers.first == Header("User-Agent", "soteriad/\(soteriadVersion) (me@example.org)"))
  }

  @Test func theListAloneIsNoServer() { #expect(Self.probe(Self.settings(nil)) == nil) }

  struct Answer: Sendable, CustomTestStringConvertible {
    var service: GeocoderService
    var url: String
    var status: Int
    var body: String
    var problem: String?
    var testDescription: String { "\(service) \(status) \(body)" }
  }

  private static let nominatim = "https://nominatim.openstreetmap.org"
  static let table: [Answer] = [
    // nominatim.org, "Status"
    Answer(
      service: .nominatim, url: nominatim, status: 200, body: #"{"status":0,"message":"OK"}"#, problem: nil),
    Answer(
      service: .nominatim, url: nominatim, status: 200,
      body: #"{"status":700,"message":"Database connection failed"}"#,
      problem: "the server reports an error (700)"),
    Answer(service: .nominatim, url: nominatim, status: 403, body: "", problem: "not allowed (403)"),
    Answer(service: .nominatim, url: nominatim, status: 429, body: "", problem: "too many messages (429)"),
    Answer(service: .nominatim, url: nominatim, status: 200, body: "OK", problem: "unreadable answer (200)"),
    Answer(
      service: .nominatim, url: nominatim, status: 200, body: "<html>Sign in</html>",
      problem: "a web page instead of an answer (200): captive portal or proxy"),
    // nominatim.org, "Reverse Geocoding"; a server of one country knows nothing of Greenwich
    Answer(service: .nominatim, url: host, status: 200, body: greenwich, problem: nil),
    Answer(
      service: .nominatim, url: host, status: 200, body: #"{"error":"Unable to geocode"}"#, problem: nil),
    Answer(
      service: .nominatim, url: host, status: 401, body: #"{"error":"Invalid key"}"#,
      problem: "credentials not accepted (401)"),
    // github.com/komoot/photon, docs/api-v1.md
    Answer(service: .photon, url: host, status: 200, body: #"{"features":[]}"#, problem: nil),
    Answer(service: .photon, url: host, status: 200, body: "{}", problem: "the answer has no address"),
    Answer(
      service: .photon, url: host, status: 302, body: "",
      problem: "redirected (302): captive portal or moved address"),
  ]

  @Test(arguments: table) func saysWhatIsWrong(_ row: Answer) throws {
    let probe = try #require(Self.probe(Self.settings(row.service, row.url)))
    let problem = probe.problem(in: .success(Sample.answer(row.status, row.body)))

    #expect(problem == row.problem)
    #expect(probe.verdict(problem).hasPrefix(row.problem.map { "warning: \($0); messages go" } ?? "answers"))
    #expect(probe.isWell(with: problem))
  }

  @Test func theListIsTried() {
    let place = NearestPlace(name: "A", region: nil, country: [:], distance: 1, direction: .north)
    let list = GeocoderSettings()

    #expect(list.verdict(of: .success(place)) == "list of places: answers")
    #expect(
      list.verdict(of: .failure(.damaged))
        == "list of places: warning: /usr/share/soteriad-places/places is damaged; messages carry no address")
    #expect(list.verdict(of: .success(nil)).contains("places holds no place; messages carry no address"))
    #expect(
      Self.settings(.photon).verdict(of: .failure(.unreadable)).hasSuffix("only where the server answers"))
  }

  @Test func theDaemonAsksOnceADayAndNeverWhereTheWearerIs() {
    var world = Self.world()
    world.probes = Self.answers(200, Self.greenwich)
    world.run(for: .seconds(4 * 86_400))

    #expect((2...4).contains(Self.asked(world).count))
    #expect(Self.asked(world).allSatisfy { $0.url.hasSuffix("&lat=51.477900&lon=-0.001500") })
    #expect(Self.problems(world).isEmpty)
    #expect(world.engine.status.text.contains("\naddresses: nominatim, then the list of places\n"))
  }

  /// Whoever refuses is not to be pestered, even while a gateway is asked again every quarter of an hour.
  @Test func aServerThatRefusesIsLeftAloneForADay() {
    var world = Self.world()
    world.probes = { request, _ in
      request.url.hasPrefix(Self.host) ? .answers(Sample.answer(403, "")) : .breaks(.resolving)
    }
    world.run(for: .seconds(80_000))

    #expect(Self.asked(world).count == 1)
    #expect(world.probed.count > 20)
    #expect(
      world.logs.filter { $0.text == "addresses by nominatim: not allowed (403)" }.map(\.level) == [.warning])
  }

  @Test func aServerThatFailsIsNoProblemWhileTheListSpeaks() {
    var world = Self.world()
    world.probes = Self.answers(403, "")
    world.run(for: .seconds(1000))

    #expect(Self.problems(world).isEmpty)
    #expect(
      world.engine.status.text.contains(
        "\naddresses: nominatim, which last failed: not allowed (403), then the list of places\n"))
  }

  @Test func noAddressesAtAllAreAProblemThatIsToldOnce() {
    var world = Self.world()
    world.places = { _ in .failure(.unreadable) }
    world.probes = Self.answers(403, "")
    world.run(for: .seconds(1000))

    let text = world.engine.status.text
    let list = "/usr/share/soteriad-places/places cannot be read"
    #expect(text.contains("problem: messages carry no address: nominatim: not allowed (403), and \(list)\n"))
    #expect(text.contains("\naddresses: none, see above\n"))
    #expect(text.components(separatedBy: list).count == 2)
  }

  /// A network that comes and goes explains one failure, not two.
  @Test func aTunnelIsNoTrouble() {
    var world = Self.world()
    world.places = { _ in .failure(.unreadable) }
    world.probes = { request, _ in .breaks(.resolving) }
    world.run(for: .seconds(1000))
    #expect(!Self.problems(world).contains("no addresses"))
    world.run(for: .seconds(1500))
    #expect(Self.problems(world).contains("no addresses"))

    world.probes = Self.answers(200, Self.greenwich)
    world.run(for: .seconds(1500))
    #expect(Self.problems(world).isEmpty)
    #expect(world.logged(.notice, "addresses by nominatim: works again"))
  }

  @Test func anAddressThatWasToldProvesTheServer() {
    var world = Self.world()
    world.places = { _ in .failure(.unreadable) }
    world.probes = Self.answers(500, "")
    world.servers["geo.example"] = { _ in
      .answers(Sample.answer(200, #"{"display_name":"Jalan Melati","lat":"-6.1754","lon":"106.8272"}"#))
    }
    world.run(for: .seconds(1000))
    #expect(Self.problems(world) == ["no addresses"])
    world.press()
    world.run(for: .seconds(5))
    #expect(Self.problems(world).isEmpty)
  }

  @Test func aListThatIsLostLaterIsFoundTheSameDay() {
    var world = Self.world(Self.settings(nil))
    world.run(for: .seconds(10))
    #expect(Self.problems(world).isEmpty)
    world.places = { _ in .failure(.damaged) }
    world.run(for: .seconds(86_400 * 2))
    #expect(Self.problems(world) == ["no addresses"])
  }
}
