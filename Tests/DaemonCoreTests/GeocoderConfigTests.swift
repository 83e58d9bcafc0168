import Testing

@testable import DaemonCore

/// What the configuration may say about addresses.
@Suite struct GeocoderConfigTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    /// Key and the beginning of what is said; nil where all is well.
    let problem: String?
    var testDescription: String { text }
  }

  static let cases: [Case] = [
    Case(text: #"{"type":"places"}"#, problem: nil),
    Case(text: #"{"type":"none","url":"https://h","contact":"x"}"#, problem: nil),
    Case(text: #"{"type":"nominatim","contact":"me@example.org","deadline":"0s"}"#, problem: nil),
    Case(text: #"{"type":"nominatim","url":"https://h.example/geo?key=abc"}"#, problem: nil),
    Case(text: #"{"type":"photon","url":{"credential":"geo"},"places":"/srv/places"}"#, problem: nil),
    Case(text: "{}", problem: "geocoder.type: is missing"),
    Case(
      text: #"{"type":"google"}"#, problem: "geocoder.type: must be one of: none, places, nominatim, photon"),
    Case(text: #"{"type":"nominatim"}"#, problem: "geocoder.contact: is missing: the public server's rules"),
    Case(text: #"{"type":"photon"}"#, problem: "geocoder.contact: is missing: the public server's rules"),
    Case(
      text: #"{"type":"nominatim","contact":"ich@müller.example"}"#,
      problem: "geocoder.contact: goes into a header"),
    Case(text: #"{"type":"nominatim","url":"geo.example"}"#, problem: "geocoder.url: must be a URL"),
    Case(
      text: #"{"type":"nominatim","url":"http://geo.example"}"#, problem: "geocoder.url: is not encrypted"),
    Case(text: #"{"type":"places","places":"places"}"#, problem: "geocoder.places: must be an absolute path"),
    Case(
      text: #"{"type":"places","deadline":"31s"}"#, problem: "geocoder.deadline: must be between 0s and 30s"),
    Case(text: #"{"type":"places","user":"x"}"#, problem: "geocoder.user: unknown key"),
  ]

  @Test(arguments: cases) func saysWhatIsWrong(_ row: Case) {
    let problems = ConfigSample.decode(ConfigSample.top("\"geocoder\":\(row.text)")).problems

    #expect(problems.count == (row.problem == nil ? 0 : 1))
    let said = problems.first.map { "\($0.key): \($0.text)" } ?? ""
    #expect(said.hasPrefix(row.problem ?? ""), "\(said)")
  }

  @Test func becomesSettings() throws {
    func settings(_ text: String) -> GeocoderSettings? {
      ConfigSample.decode(ConfigSample.top("\"geocoder\":\(text)")).config?.geocoder
    }

    #expect(settings(#"{"type":"none"}"#) == nil)
    let list = try #require(settings(#"{"type":"places"}"#))
    #expect(list.service == nil && list.deadline == .seconds(2))
    #expect(list.places == "/usr/share/soteriad-places/places")
    let server = try #require(settings(#"{"type":"nominatim","contact":"me@example.org","deadline":"3s"}"#))
    #expect(server.service == .nominatim && server.url == "https://nominatim.openstreetmap.org")
    #expect(server.contact == "me@example.org" && server.deadline == .seconds(3))
    let photon = try #require(settings(#"{"type":"photon","url":"https://h"}"#))
    #expect(photon.service == .photon && photon.url == "https://h" && photon.contact == nil)
  }

  @Test func theStatusTellsWhoIsAskedAndWhatFailed() {
    var config = World.config()
    var settings = GeocoderSettings()
    (settings.service, settings.url) = (.nominatim, "https://geo.example")
    config.geocoder = settings
    var world = World(config)
    world.places = { _ in .failure(.unreadable) }
    world.servers["geo.example"] = { _ in .answers(Sample.answer(403, "{}")) }
    world.fix()
    #expect(world.engine.status.text.contains("\naddresses: nominatim, then the list of places\n"))
    world.press()
    world.run(for: .seconds(5))

    let text = world.engine.status.text
    #expect(
      text.contains(
        "\naddresses: nominatim, which last failed: not allowed (403), then no list of places: "
          + "/usr/share/soteriad-places/places cannot be read\n"))
    let json = world.engine.status.json["geocoder"]
    #expect(json?["type"] == .string("nominatim") && json?["trouble"] == .string("not allowed (403)"))
    // A server is configured, so nobody has to install the list.
    #expect(!world.engine.status.problems.contains { if case .noAddresses = $0 { true } else { false } })
  }
}
