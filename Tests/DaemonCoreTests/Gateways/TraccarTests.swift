import Foundation
import Testing

@testable import DaemonCore

extension OutcomeTable {
  private static let decoder = "Traccar, OsmAndProtocolDecoder.java"

  static let traccar = [
    Entry(
      kind: .traccar, gateway: Traccar(baseURL: "http://t:5055"),
      rows: [
        OutcomeRow(.success, 200, "", .weak, decoder),
        OutcomeRow(.success, 200, "setdigout 1", .weak, "\(decoder): a command that waits for the device"),
        OutcomeRow(.recipient, 400, "", .refused, "\(decoder): no such device"),
        OutcomeRow(.error, 400, "Bad Request", .later, "RFC 9110 §15.5.1: someone else's words"),
      ] + OutcomeRow.broken(200, nil),
      absent: [
        .credentials: "the device's identifier is all there is", .empty: "success has no body",
        .truncated: "success has no body",
      ])
  ]
}

@Suite struct TraccarTests {
  private func query(_ message: Message) throws -> [String: String] {
    let request = Traccar(baseURL: "http://t:5055").steps(for: message)[0].request
    #expect(request.method == "POST" && request.body == nil)
    let parts = try #require(URLComponents(string: request.url))
    #expect(parts.host == "t" && parts.port == 5055 && parts.path == "/")
    return Dictionary(uniqueKeysWithValues: (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") })
  }

  @Test func theAlarmIsAtThePlaceAndTime() throws {
    var message = Sample.message(to: "ayu/pi")
    message.composition.facts = Facts(position: message.position, battery: 55)

    #expect(
      try query(message) == [
        "id": "ayu/pi", "lat": "-6.175400", "lon": "106.827200", "timestamp": "1796004846", "accuracy": "4.1",
        "altitude": "12.0", "speed": "2.3", "bearing": "84.0", "batt": "55", "alarm": "sos",
      ])
  }

  /// Without coordinates the server takes its last position: an alarm is worth that, a wrong place is not.
  @Test func withoutAPositionTheAlarmGoesAlone() throws {
    #expect(try query(Sample.message(to: "pi", position: .unknown)) == ["id": "pi", "alarm": "sos"])
    #expect(try query(Sample.message(to: "pi", kind: .allClear)) == ["id": "pi"])
  }

  @Test func aTimeThatNobodyKnowsIsNotTold() throws {
    let old = PositionFact.known(Sample.fix, age: nil, lastKnown: true)
    let unsure = MessageComposer.compose(Sample.composition(pressedAt: Sample.unset, to: "pi"))

    let query = try query(Sample.message(to: "pi", position: old))
    #expect(query["timestamp"] == nil && query["valid"] == "false")
    #expect(try self.query(unsure)["timestamp"] == nil)
  }

  @Test func onlyACallIsAnAlarm() throws {
    var update = Sample.message(to: "pi", kind: .update)
    #expect(try query(update)["alarm"] == nil)
    update.composition.reason = .pressedAgain
    #expect(try query(update)["alarm"] == "sos")
    let drill = try query(Sample.message(to: "pi", kind: .drill))
    #expect(drill["alarm"] == nil && drill["drill"] == "true")
  }

  @Test func aMapAloneIsWarnedOf() {
    let text = ConfigSample.gateway(#""type":"traccar","url":"https://t:5055""#, route: #""to":"pi""#)

    #expect(ConfigSample.decode(text).problems.map(\.key) == ["contacts[0].routes"])
  }
}
