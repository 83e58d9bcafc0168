import Foundation
import Testing

@testable import DaemonCore

/// Our requests beside those of independent clients, recorded by Tests/peers/record.
@Suite struct PeerTests {
  private struct Peer {
    let given: [String: String]
    let method, path: String
    let contentType, authorization: String?
    let fields: NSDictionary

    init(_ name: String) throws {
      let directory = try #require(
        ProcessInfo.processInfo.environment["SOTERIAD_PEERS"],
        "no recordings of other clients: run the tests through ./test")
      let data = try Data(contentsOf: URL(fileURLWithPath: directory).appendingPathComponent(name + ".json"))
      let record = try #require(try JSONSerialization.jsonObject(with: data) as? NSDictionary)
      given = try #require(record["given"] as? [String: String])
      let request = try #require(record["request"] as? NSDictionary)
      method = try #require(request["method"] as? String)
      path = try #require(request["path"] as? String)
      contentType = request["content_type"] as? String
      authorization = request["authorization"] as? String
      fields = try #require(request["fields"] as? NSDictionary)
    }

    func value(_ key: String) throws -> String { try #require(given[key]) }
  }

  private func header(_ name: String, of request: DaemonCore.Request) -> String? {
    request.headers.first { $0.name == name }?.value
  }

  @Test func twilioIsSentWhatItsOwnClientSends() throws {
    let peer = try Peer("twilio")
    let gateway = Twilio(
      baseURL: "http://h", accountSID: try peer.value("sid"), authToken: try peer.value("token"),
      sender: .from(try peer.value("from")), channel: .sms, contentSID: nil)

    let request = gateway.steps(for: Sample.message(to: try peer.value("to"), text: try peer.value("text")))[
      0
    ]
    .request

    #expect(request.method == peer.method && request.url == "http://h" + peer.path)
    #expect(header("Content-Type", of: request) == peer.contentType)
    #expect(header("Authorization", of: request) == peer.authorization)
    let body = String(decoding: request.body ?? [], as: UTF8.self)
    let items = try #require(URLComponents(string: "http://h?" + body)?.queryItems)
    #expect(
      Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") }) as NSDictionary == peer.fields
    )
  }

  @Test func telegramIsSentWhatAppriseSends() throws {
    let peer = try Peer("telegram")
    let gateway = Telegram(baseURL: "http://h", botToken: try peer.value("bot"))

    let request = gateway.steps(
      for: Sample.message(to: try peer.value("chat"), text: try peer.value("text")))[0]
      .request

    #expect(request.method == peer.method && request.url == "http://h" + peer.path)
    #expect(header("Content-Type", of: request) == peer.contentType)
    let ours = try #require(
      try JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? NSDictionary)
    for (key, value) in ours {
      // An id may be a number or text: Bot API, "Integer or String".
      let theirs = try #require(peer.fields[key], "apprise sends no \(key)")
      #expect("\(theirs)" == "\(value)")
    }
  }
}
