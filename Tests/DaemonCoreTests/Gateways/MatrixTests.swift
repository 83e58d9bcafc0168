import Foundation
import Testing

@testable import DaemonCore

extension OutcomeTable {
  private static let spec = "spec.matrix.org, client-server API"
  private static let synapse = "matrix-synapse 1.163, recorded; PeerTests.MatrixPeerTests asks it again"

  /// `errcode` is a string, and an error has a status of its own: nothing else accepts or refuses.
  private static let malformed: [OutcomeRow] = {
    var rows: [OutcomeRow] = []
    for code in [#""""#, "403", "null", "true", #"{"M_FORBIDDEN":1}"#, #"["M_FORBIDDEN"]"#] {
      for status in [200, 400, 401, 403, 404, 429] {
        rows.append(OutcomeRow(.unknown, status, "{\"errcode\":\(code)}", .later, "\(spec) §2.1.1: a string"))
      }
    }
    for code in [#""""#, "403", #""M_FORBIDDEN""#] {
      let both = "{\"errcode\":\(code),\"event_id\":\"$RTf5f4FnJ\"}"
      rows.append(OutcomeRow(.unknown, 200, both, .later, "\(spec) §2.1.1: an error is no success"))
    }
    let misplaced = #"{"errcode":"M_FORBIDDEN","error":"x"}"#
    for status in [200, 400, 404, 500] {
      rows.append(
        OutcomeRow(.unknown, status, misplaced, .later, "\(spec) §10.11: M_FORBIDDEN comes with 403"))
    }
    return rows
  }()

  static let matrix = [
    Entry(
      kind: .matrix, gateway: Matrix(baseURL: "https://m", accessToken: "syt_secret"),
      rows: [
        OutcomeRow(.success, 200, #"{"event_id":"$RTf5f4FnJ"}"#, .strong, synapse),
        OutcomeRow(
          .recipient, 403,
          #"{"errcode":"M_FORBIDDEN","error":"User @ayu:h not in room !none:h (None)"}"#, .refused, synapse),
        OutcomeRow(
          .recipient, 403,
          #"{"errcode":"M_FORBIDDEN","error":"You don't have permission to post that to the room. "}"#,
          .refused, synapse),
        OutcomeRow(
          .credentials, 401,
          #"{"errcode":"M_UNKNOWN_TOKEN","error":"Invalid access token passed.","soft_logout":false}"#,
          .later, synapse),
        OutcomeRow(
          .credentials, 401, #"{"errcode":"M_MISSING_TOKEN","error":"Missing access token"}"#, .later, synapse
        ),
        OutcomeRow(
          .credentials, 401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"Token expired","soft_logout":true}"#,
          .later, "\(spec) §5.5.1, soft logout"),
        OutcomeRow(
          .credentials, 403, #"{"errcode":"M_USER_DEACTIVATED","error":"This account has been deactivated"}"#,
          .later, "\(spec) §2.1.1"),
        OutcomeRow(
          .rateLimit, 429,
          #"{"errcode":"M_LIMIT_EXCEEDED","error":"Too Many Requests","retry_after_ms":4166}"#, .retry(5),
          synapse, headers: [Header("retry-after", "5")]),
        OutcomeRow(
          .rateLimit, 429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":12000}"#, .retry(12),
          "\(spec) §2.3, before v1.10"),
        OutcomeRow(
          .error, 413, #"{"errcode":"M_TOO_LARGE","error":"event too large"}"#, .later, "\(spec) §2.1.1"),
        OutcomeRow(
          .error, 404, #"{"errcode":"M_UNRECOGNIZED","error":"Unrecognized request"}"#, .later, synapse),
        OutcomeRow(
          .error, 403, #"{"errcode":"M_RESOURCE_LIMIT_EXCEEDED","error":"Monthly Active User Limit"}"#,
          .later,
          "\(spec) §2.1.1"),
        OutcomeRow(
          .error, 500, #"{"errcode":"M_UNKNOWN","error":"Internal server error"}"#, .later, "\(spec) §2.1.1"),
        OutcomeRow(
          .error, 403, #"{"errcode":"M_CONSENT_NOT_GIVEN","error":"x","consent_uri":"https://m/c"}"#, .later,
          "\(spec) §2.1.1"),
        OutcomeRow(
          .error, 403, #"{"errcode":"M_GUEST_ACCESS_FORBIDDEN","error":"Guest access not allowed"}"#, .later,
          "\(spec) §2.1.1"),
        OutcomeRow(
          .error, 400, #"{"errcode":"M_BAD_JSON","error":"x"}"#, .later, "\(spec) §2.1.1"),
        OutcomeRow(.unknown, 200, #"{"ok":true}"#, .later, "\(spec) §10.11: event_id is required"),
        OutcomeRow(.unknown, 200, #"{"event_id":""}"#, .later, "\(spec), appendices, event IDs begin with $"),
        OutcomeRow(.unknown, 200, #"{"event_id":7}"#, .later, "\(spec) §10.11: event_id is a string"),
      ] + malformed + OutcomeRow.broken(200, #"{"event_id":"$RTf5f4FnJ"}"#))
  ]
}

@Suite struct MatrixTests {
  private let gateway = Matrix(baseURL: "https://m", accessToken: "tok")

  @Test func textAndPlaceAreEventsOfTheRoom() throws {
    let steps = gateway.steps(for: Sample.message(to: "!a:h.org", text: GatewayRequestTests.odd))
    let bodies = steps.map { $0.request.body.flatMap { JSON(parsing: $0) } }

    #expect(steps.map(\.name) == ["text", "location"])
    #expect(steps.allSatisfy { $0.request.method == "PUT" })
    #expect(
      steps.map(\.request.url) == [
        "https://m/_matrix/client/v3/rooms/%21a%3Ah.org/send/m.room.message/01J%2Fmum%2F0%2Ftext",
        "https://m/_matrix/client/v3/rooms/%21a%3Ah.org/send/m.room.message/01J%2Fmum%2F0%2Flocation",
      ])
    #expect(steps[0].request.headers.first == Header("Authorization", "Bearer tok"))
    #expect(
      bodies[0] == .fields([("msgtype", .string("m.text")), ("body", .string(GatewayRequestTests.odd))]))
    #expect(bodies[1]?["geo_uri"] == .string("geo:-6.175400,106.827200;u=4.1"))
  }

  @Test func whatIsNotKnownSendsNobodyAnywhere() {
    #expect(gateway.steps(for: Sample.message(position: .unknown)).map(\.name) == ["text"])
    #expect(gateway.steps(for: Sample.message(kind: .allClear)).map(\.name) == ["text"])
  }

  @Test(arguments: [
    ("!OGEhHVWSdvArJzumhm:matrix.org", true), ("!31hneApxJ_1o-63DmFrpeqnkFfWppnzWso1JvH3ogLM", true),
    ("#family:matrix.org", false), ("@mum:matrix.org", false), ("!", false), ("!a b", false),
  ])
  func aRoomIsNamedByItsID(room: String, isOne: Bool) {
    let result = ConfigSample.decode(
      ConfigSample.gateway(
        #""type":"matrix","url":"https://m","access_token":"t""#, route: "\"to\":\"\(room)\""))

    #expect((result.config != nil) == isOne, "\(result.problems)")
  }

  @Test func accountAndRoomAreProven() {
    func room(_ status: Int, _ body: String) -> String? {
      gateway.recipientProblem(in: Sample.answer(status, body), for: "!a:h")
    }

    #expect(gateway.probe?.url == "https://m/_matrix/client/v3/account/whoami")
    #expect(gateway.probeProblem(in: Sample.answer(200, #"{"user_id":"@a:h"}"#)) == nil)
    #expect(
      gateway.probeProblem(in: Sample.answer(401, #"{"errcode":"M_UNKNOWN_TOKEN","error":"x"}"#))
        == "access token not accepted (M_UNKNOWN_TOKEN)")
    #expect(room(200, #"{"joined_rooms":["!b:h","!a:h"]}"#) == nil)
    #expect(room(200, #"{"joined_rooms":["!b:h"]}"#)?.hasPrefix("the account is not in this room") == true)
    #expect(room(200, "<html>") != nil && room(401, #"{"errcode":"M_UNKNOWN_TOKEN"}"#) != nil)
  }
}
