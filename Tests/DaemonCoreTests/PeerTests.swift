import Foundation
import Testing

@testable import DaemonCore

/// Our requests beside those of independent clients, recorded by Tests/peers/record: field by field, and every
/// difference has a reason here.
@Suite struct PeerTests {
  private struct Peer {
    let given: [String: String]
    let method, path: String
    let contentType, authorization: String?
    let headers: [String: String]
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
      headers = try #require(request["headers"] as? [String: String])
      fields = try #require(request["fields"] as? NSDictionary)
    }

    func value(_ key: String) throws -> String { try #require(given[key]) }

    func message(to key: String) throws -> Message {
      Sample.message(to: try value(key), text: try value("text"))
    }

    /// `ours`: fields that only we send; `theirs`: fields that only they send; `differing`: of other values.
    func agrees(
      with request: DaemonCore.Request, ours: Set<String> = [], theirs: Set<String> = [],
      differing: Set<String> = [], authorization: Bool = true, path: Bool = true
    ) throws {
      func header(_ name: String) -> String? { request.headers.first { $0.name == name }?.value }
      #expect(request.method == method)
      let sent = try #require(URLComponents(string: request.url)?.path)
      if path { #expect(sent.removingPercentEncoding == self.path.removingPercentEncoding) }
      #expect(header("Content-Type") == contentType)
      if authorization { #expect(header("Authorization") == self.authorization) }
      let mine =
        contentType == "application/json"
        ? try #require(try JSONSerialization.jsonObject(with: Data(request.body ?? [])) as? NSDictionary)
        : GatewayRequestTests.form(request) as NSDictionary
      let (names, peers) = (Set(mine.allKeys.compactMap { $0 as? String }), fields.allKeys as? [String] ?? [])
      #expect(names.subtracting(peers) == ours)
      #expect(Set(peers).subtracting(names) == theirs)
      for name in names.intersection(peers) where !differing.contains(name) {
        // A number may stand as text, and the other way round: "Integer or String", and every form.
        let (one, other) = (try #require(mine[name]), try #require(fields[name]))
        #expect("\(one)" == "\(other)", "\(name)")
      }
    }
  }

  private func first(_ gateway: any Gateway, _ message: Message) -> DaemonCore.Request {
    gateway.steps(for: message)[0].request
  }

  @Test func twilioIsSentWhatItsOwnClientSends() throws {
    let peer = try Peer("twilio")
    let gateway = Twilio(
      baseURL: "http://h", accountSID: try peer.value("sid"), authToken: try peer.value("token"),
      sender: .from(try peer.value("from")), channel: .sms, contentSID: nil)

    try peer.agrees(with: first(gateway, peer.message(to: "to")))
  }

  @Test func vonageIsSentWhatItsOwnClientSends() throws {
    let peer = try Peer("vonage")
    let (recipe, _) = try RecipeTests.first("vonage")
    var message = try peer.message(to: "to")
    message.composition.route.to = message.to.map { String($0.dropFirst()) }

    // The recipe's file holds what stands in for it here.
    let key = "\(try peer.value("key")):\(try peer.value("secret"))"
    #expect(peer.authorization == "Basic \(key.base64)")
    try peer.agrees(with: first(recipe, message), authorization: false)
  }

  @Test func matrixIsSentWhatNioSends() throws {
    let peer = try Peer("matrix")
    let gateway = Matrix(baseURL: "http://h", accessToken: try peer.value("access"))

    try peer.agrees(with: first(gateway, peer.message(to: "room")))
  }

  @Test func telegramIsSentWhatAppriseSends() throws {
    let peer = try Peer("telegram")
    let gateway = Telegram(baseURL: "http://h", botToken: try peer.value("bot"))

    try peer.agrees(
      with: first(gateway, peer.message(to: "chat")),
      // Markup could refuse the message; the preview of the map is wanted, and so is the sound.
      theirs: ["parse_mode", "disable_web_page_preview", "disable_notification"])
  }

  @Test func ntfyIsSentWhatAppriseSends() throws {
    let peer = try Peer("ntfy")
    let gateway = Ntfy(baseURL: "http://h", token: try peer.value("access"))
    let request = try first(gateway, peer.message(to: "topic"))

    // apprise puts these into headers.
    try peer.agrees(with: request, ours: ["priority", "tags", "click"])
    let sent = request.body.flatMap { JSON(parsing: $0) }
    #expect(peer.headers["x-priority"] == "max" && sent?["priority"] == .integer(5))
    #expect(peer.headers["x-tags"].map { JSON.array([.string($0)]) } == sent?["tags"])
    #expect(peer.headers["x-click"]?.removingPercentEncoding == sent?["click"]?.string)
  }

  @Test func pushoverIsSentWhatAppriseSends() throws {
    let peer = try Peer("pushover")
    let gateway = Pushover(baseURL: "http://h", token: try peer.value("app"))

    try peer.agrees(
      with: first(gateway, peer.message(to: "user")),
      // By the tag the all-clear ends the repetition.
      ours: ["tags"],
      // All devices and the usual sound are what Pushover takes without them.
      theirs: ["device", "sound"],
      // How often is the owner's to say: apprise's own is every 15 minutes.
      differing: ["retry"],
      // The token stands in the form; Pushover documents no other place.
      authorization: false)
  }

  @Test func signalIsSentWhatAppriseSends() throws {
    let peer = try Peer("signal")
    let gateway = Signal(baseURL: "http://h", number: try peer.value("from"))

    try peer.agrees(with: first(gateway, peer.message(to: "to")))
  }

  @Test func whatsAppIsSentWhatAppriseSends() throws {
    let peer = try Peer("whatsapp")
    let gateway = WhatsApp(
      baseURL: "http://h", phoneNumberID: try peer.value("phone_id"), accessToken: try peer.value("meta"),
      apiVersion: "v21.0", template: nil)

    // The link's preview would be fetched first.
    try peer.agrees(with: first(gateway, peer.message(to: "to")), differing: ["text"])
    let text = peer.fields["text"] as? NSDictionary
    #expect(text?["body"] as? String == peer.given["text"])
  }

  @Test func gotifyIsSentWhatAppriseSends() throws {
    let peer = try Peer("gotify")
    let request = try first(RecipeTests.first("gotify").gateway, peer.message(to: "to"))

    try peer.agrees(with: request)
    #expect(peer.headers["x-gotify-key"] == peer.given["secret"])
    #expect(request.headers.contains { $0.name == "X-Gotify-Key" })
  }

  @Test func homeAssistantIsSentWhatAppriseSends() throws {
    let peer = try Peer("home_assistant")
    let (recipe, to) = try RecipeTests.first("home-assistant")
    var message = try peer.message(to: "to")
    message.composition.route.to = to

    // A critical notification is the app's own matter.
    try peer.agrees(with: first(recipe, message), ours: ["data"], authorization: false)
    let token = try peer.value("access")
    #expect(peer.authorization == "Bearer \(token)")
  }
}
