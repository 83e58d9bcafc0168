import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// Against matrix-synapse.
@Suite struct MatrixPeerTests {
  private let facts: [String: String]

  init() throws {
    facts = try Servers.facts(of: "matrix")
  }

  private func gateway(_ token: String = "token") throws -> Matrix {
    Matrix(baseURL: try #require(facts["url"]), accessToken: try #require(facts[token]))
  }

  /// The contents of the room's messages, as someone else in it reads them.
  private func contents() throws -> [NSDictionary] {
    let room = try #require(facts["room"]?.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let request = DaemonCore.Request(
      method: "GET",
      url: "\(try #require(facts["url"]))/_matrix/client/v3/rooms/\(room)/messages?dir=b&limit=500",
      headers: [Header("Authorization", "Bearer \(try #require(facts["reader_token"]))")])
    let answer = try JSONSerialization.jsonObject(with: Data(try Servers.answer(to: request).body))
    let events = try #require((answer as? NSDictionary)?["chunk"] as? [NSDictionary])
    return events.filter { $0["type"] as? String == "m.room.message" }.compactMap {
      $0["content"] as? NSDictionary
    }
  }

  @Test func aMessageArrivesWholeAndOnlyOnce() throws {
    let mark = UUID().uuidString
    let message = Servers.message(to: facts["room"], text: mark + Servers.odd)
    let before = try contents().filter { $0["msgtype"] as? String == "m.location" }.count

    for _ in 0..<3 {
      for outcome in try Servers.outcomes(gateway(), message) { #expect(outcome == .accepted(Acceptance())) }
    }

    let after = try contents()
    #expect(after.filter { $0["body"] as? String == mark + Servers.odd }.count == 1)
    let places = after.filter { $0["msgtype"] as? String == "m.location" }
    #expect(places.count == before + 1)
    #expect(places.first?["geo_uri"] as? String == "geo:-6.175400,106.827200;u=4.1")
  }

  @Test func theLongestTextIsTaken() throws {
    for filling in ["\"", "é", "👨‍👩‍👧"] {
      let text = String(repeating: filling, count: 30_000)
      let outcome = try Servers.outcomes(gateway(), Servers.message(to: facts["long_room"], text: text))[0]
      #expect(outcome == .accepted(Acceptance()), "\(filling)")
    }
  }

  @Test func aDeadTokenIsNotTheContactsFault() throws {
    let outcome = try Servers.outcomes(gateway("dead_token"), Servers.message(to: facts["room"]))[0]

    #expect(outcome == .retry(reason: "access token not accepted (M_UNKNOWN_TOKEN)", after: nil))
  }

  @Test(arguments: ["strange_room", "silent_room"]) func aRoomThatIsClosedRefuses(_ room: String) throws {
    let outcome = try Servers.outcomes(gateway(), Servers.message(to: facts[room]))[0]

    guard case .refused(let reason) = outcome else { throw SystemError("\(room): \(outcome)") }
    #expect(reason.hasSuffix("(M_FORBIDDEN)"))
  }

  @Test func theServersPatienceIsHeard() throws {
    for _ in 0..<20 {
      let outcome = try Servers.outcomes(gateway("hasty_token"), Servers.message(to: facts["room"]))[0]
      if case .retry(let reason, let after?) = outcome {
        #expect(reason == "too many messages (M_LIMIT_EXCEEDED)")
        #expect(after > .zero && after <= .seconds(60))
        return
      }
    }
    Issue.record("synapse never said that it is too much")
  }

  @Test func anAddressThatIsNoneIsTriedAgain() throws {
    let elsewhere = Matrix(baseURL: try #require(facts["url"]) + "/elsewhere", accessToken: "t")
    let outcome = try Servers.outcomes(elsewhere, Servers.message(to: facts["room"]))[0]

    guard case .retry = outcome else { throw SystemError("\(outcome)") }
  }

  @Test func accountAndRoomsAreProvenWithoutAMessage() throws {
    func problem(_ token: String) throws -> String? {
      let gateway = try gateway(token)
      return gateway.probeProblem(in: try Servers.answer(to: #require(gateway.probe)))
    }
    func room(_ name: String) throws -> String? {
      let (gateway, room) = (try gateway(), try #require(facts[name]))
      return gateway.recipientProblem(
        in: try Servers.answer(to: #require(gateway.recipientProbe(for: room))), for: room)
    }

    #expect(try problem("token") == nil)
    #expect(try problem("dead_token") == "access token not accepted (M_UNKNOWN_TOKEN)")
    #expect(try room("room") == nil)
    #expect(try room("strange_room")?.hasPrefix("the account is not in this room") == true)
  }
}
