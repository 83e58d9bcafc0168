import Foundation
import Testing

@testable import DaemonCore

/// What servers answer, and what of it may stand in a message.
@Suite struct GeocoderAnswerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let service: GeocoderService
    let response: Response
    let answer: GeocoderAnswer
    var testDescription: String { name }

    init(
      _ name: String, _ service: GeocoderService, _ body: String, _ answer: GeocoderAnswer, status: Int = 200
    ) {
      self.name = name
      self.service = service
      response = Sample.answer(status, body)
      self.answer = answer
    }
  }

  private static func failed(_ reason: String) -> GeocoderAnswer {
    .failed(reason: reason, after: Geocoder.rest)
  }
  private static let none = failed("the answer has no address")
  private static let unreadable = failed("unreadable answer (200)")
  private static let question = GeocoderQuestion(
    spot: Spot(latitude: -6.1754, longitude: 106.8272), accuracy: 4, language: .english)

  static let cases: [Case] = [
    Case(
      "an address", .nominatim,
      #"{"lat":"-6.17","lon":"106.82","display_name":"5, Jalan Melati, Jakarta, 10110, Indonesia"}"#,
      .address("5, Jalan Melati, Jakarta, 10110, Indonesia")),
    Case(
      "numbers as numbers", .nominatim, #"{"lat":-6.17,"lon":106.82,"display_name":"Jakarta"}"#,
      .address("Jakarta")),
    Case("without a place", .nominatim, #"{"display_name":"Jakarta"}"#, .address("Jakarta")),
    Case(
      "right to left and controls", .nominatim,
      #"{"display_name":"\u202eشارع الوحدة 21\u0000,\n غزة\u2069"}"#, .address("شارع الوحدة 21, غزة")),
    Case(
      "words for nothing", .nominatim, #"{"display_name":"null, undefined, , NaN, Jakarta, Jakarta, --"}"#,
      .address("Jakarta")),
    Case("nothing but such words", .nominatim, #"{"display_name":"null, undefined, error"}"#, none),
    Case("at sea", .nominatim, #"{"error":"Unable to geocode"}"#, .nothing),
    Case(
      "an error", .nominatim, #"{"error":{"code":500,"message":"x"}}"#, failed("the server reports an error")),
    Case("no name", .nominatim, #"{"lat":"1","lon":"1"}"#, none),
    Case("a name that is none", .nominatim, #"{"display_name":17}"#, none),
    Case("an empty name", .nominatim, #"{"display_name":" \n "}"#, none),
    Case("markup", .nominatim, #"{"display_name":"<script>alert(1)</script>"}"#, none),
    Case("a list", .nominatim, "[]", none),
    Case("null", .nominatim, "null", unreadable),
    Case("empty", .nominatim, "", failed("empty answer (200)")),
    Case("XML", .nominatim, #"<?xml version="1.0"?><error>x</error>"#, unreadable),
    Case("half an answer", .nominatim, #"{"display_name":"Jak"#, unreadable),
    Case("not found", .nominatim, "{}", failed("nothing at this address (404)"), status: 404),
    Case("forbidden", .nominatim, #"{"display_name":"x"}"#, failed("not allowed (403)"), status: 403),
    Case(
      "elsewhere", .nominatim, #"{"lat":"52.5","lon":"13.4","display_name":"Berlin"}"#,
      failed("the answer is about another place")),
    Case(
      "an address", .photon,
      #"""
      {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[106.82,-6.17]},
      "properties":{"name":"Monas","housenumber":"5","street":"Jalan Melati","district":"Gambir","city":"Jakarta",
      "state":"Jakarta","country":"Indonesia","postcode":"10110"}}]}
      """#, .address("Monas, Jalan Melati 5, Gambir, Jakarta, Indonesia")),
    Case("at sea", .photon, #"{"type":"FeatureCollection","features":[]}"#, .nothing),
    Case("no properties", .photon, #"{"features":[{}]}"#, none),
    Case(
      "null properties", .photon, #"{"features":[{"properties":{"name":null,"city":{}},"geometry":null}]}"#,
      none),
    Case("features that are none", .photon, #"{"features":{"0":{}}}"#, none),
    Case(
      "elsewhere", .photon,
      #"{"features":[{"geometry":{"coordinates":[13.4,52.5]},"properties":{"city":"Berlin"}}]}"#,
      failed("the answer is about another place")),
    Case("a list", .photon, "[]", none),
  ]

  @Test(arguments: cases) func meansWhatItMeans(_ row: Case) {
    #expect(GeocoderAnswer(row.response, to: Self.question, from: row.service) == row.answer)
  }

  @Test func pagesAndFloodsAreNoAddresses() {
    let page = Sample.answer(200, "<html>Log in</html>", [Header("content-type", "text/html")])
    let flood = Response(status: 200, body: Array(#"{"display_name":"x"}"#.utf8), truncated: true)
    for service in GeocoderService.allCases {
      guard case .failed = GeocoderAnswer(page, to: Self.question, from: service) else {
        Issue.record("a page was taken for an address")
        continue
      }
      #expect(
        GeocoderAnswer(flood, to: Self.question, from: service) == Self.failed("the answer is too long"))
    }
  }

  @Test func aLongAddressLosesItsMiddle() {
    let parts = (1...30).map { "Part number \($0)" }.joined(separator: ", ")
    let response = Sample.answer(200, #"{"display_name":"\#(parts)"}"#)
    guard case .address(let text) = GeocoderAnswer(response, to: Self.question, from: .nominatim) else {
      Issue.record("no address")
      return
    }
    #expect(text.utf16.count <= 120)
    #expect(
      text.hasPrefix("Part number 1, Part number 2, ") && text.hasSuffix(", Part number 29, Part number 30"))

    let endless = Sample.answer(200, #"{"display_name":"\#(String(repeating: "ab", count: 5000))"}"#)
    guard case .address(let word) = GeocoderAnswer(endless, to: Self.question, from: .nominatim) else {
      Issue.record("no address")
      return
    }
    #expect(word.utf16.count == 120)
  }

  /// Whatever bytes come, no address holds a control, an override or a line break.
  @Test func randomAnswersNeverSpoilAMessage() {
    var entropy = Entropy(high: 47, low: 11)
    let pieces = [
      "{", "}", "[", "]", ":", ",", "\"", "\"display_name\"", "\"features\"", "\"properties\"", "\"city\"",
      "null", "1e999",
      "\\u202e", "\\ud800", "\\n", "a", "é", "\"lat\"", "\"error\"", "-", "\u{202E}",
    ]
    var addresses = 0
    for _ in 0..<20_000 {
      var body = ["", "{\"display_name\":\"", "{\"features\":[{\"properties\":{\"city\":\""][
        Int(entropy.next() % 3)]
      for _ in 0..<Int(entropy.next() % 8) { body += pieces[Int(entropy.next() % UInt64(pieces.count))] }
      body += ["", "\"}", "\"}}]}"][Int(entropy.next() % 3)]
      for service in GeocoderService.allCases {
        if case .address(let text) = GeocoderAnswer(
          Sample.answer(200, body), to: Self.question, from: service)
        {
          addresses += 1
          #expect(text == text.onOneLine && !text.isEmpty && text.utf16.count <= 120, "\(body)")
        }
      }
    }
    #expect(addresses > 200)
  }

  @Test func asksAsTheRulesWant() {
    var settings = GeocoderSettings()
    settings.url = "https://nominatim.example/?key=abc"
    settings.contact = "me@example.org"
    let request = Self.question.request(.nominatim, settings)

    #expect(request.method == "GET" && request.body == nil)
    #expect(
      request.url == "https://nominatim.example/reverse?key=abc&format=jsonv2&addressdetails=0&zoom=18"
        + "&lat=-6.175400&lon=106.827200")
    #expect(
      request.headers == [
        Header("User-Agent", "soteriad/\(soteriadVersion) (me@example.org)"),
        Header("Accept", "application/json"),
        Header("Accept-Language", "en"),
      ])
    settings.url = "http://localhost:2322/base"
    #expect(
      Self.question.request(.photon, settings).url
        == "http://localhost:2322/base/reverse?limit=1&lat=-6.175400&lon=106.827200")
  }

  struct Precise: Sendable {
    let accuracy: Double?
    let zoom: String
    let photon: String
  }
  static let precisions: [Precise] = [
    Precise(accuracy: nil, zoom: "zoom=18&", photon: "Monas, Jalan Melati 5, Gambir, Jakarta"),
    Precise(accuracy: 50, zoom: "zoom=18&", photon: "Monas, Jalan Melati 5, Gambir, Jakarta"),
    Precise(accuracy: 51, zoom: "zoom=16&", photon: "Jalan Melati, Gambir, Jakarta"),
    Precise(accuracy: 1500, zoom: "zoom=14&", photon: "Gambir, Jakarta"),
    Precise(accuracy: 5000, zoom: "zoom=10&", photon: "Jakarta"),
  ]

  /// An address is no finer than the position.
  @Test(arguments: precisions) func promisesNoHouseWhereTheStreetIsUnsure(_ row: Precise) {
    var question = Self.question
    question.accuracy = row.accuracy
    let body = #"""
      {"features":[{"properties":{"name":"Monas","housenumber":"5","street":"Jalan Melati","district":"Gambir",
      "city":"Jakarta"}}]}
      """#

    #expect(question.request(.nominatim, GeocoderSettings()).url.contains(row.zoom))
    #expect(GeocoderAnswer(Sample.answer(200, body), to: question, from: .photon) == .address(row.photon))
  }
}
