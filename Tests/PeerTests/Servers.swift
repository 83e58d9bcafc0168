import CCurl
import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// The servers that Tests/peers/serve has up: real ones that no one here wrote.
enum Servers {
  /// What the named server is reached by, and who may do what there.
  static func facts(of server: String) throws -> [String: String] {
    let path = try #require(
      ProcessInfo.processInfo.environment["SOTERIAD_SERVERS"], "no servers are up: run ./test --peers")
    let facts = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    return try #require((facts as? [String: [String: String]])?[server])
  }

  /// The answer to a request, sent as the daemon sends it.
  static func answer(to request: DaemonCore.Request) throws -> Response {
    let http = try #require(HTTPClient(bundlesIn: NSTemporaryDirectory()))
    http.start(ExchangeID(number: 1), request, timeout: .seconds(60), caFile: nil)
    while !http.isIdle {
      var entries: [sot_poll_entry] = []
      http.wait(for: &entries, limit: .seconds(60))
      for (_, result) in http.perform() { return try result.get() }
    }
    throw SystemError("no answer")
  }

  /// What becomes of each step, every one sent.
  static func outcomes(_ gateway: any Gateway, _ message: Message) throws -> [Outcome] {
    try gateway.steps(for: message).map { gateway.outcome(of: try answer(to: $0.request), to: $0) }
  }

  /// An alert with a position, of an id that no test has had before.
  static func message(to: String?, text: String? = nil) -> Message {
    let fix = Fix(latitude: -6.1754, longitude: 106.8272, accuracy: 4.1)
    let moment = WallTime(milliseconds: 1_796_004_847_000, utcOffset: 25_200, trusted: true)
    let composition = Composition(
      alertID: UUID().uuidString, kind: .alert, reason: nil, sequence: 0,
      contact: Contact(name: "Mum", id: "mum", routes: []), route: Route(gateway: "g", to: to), wearer: "Ayu",
      template: nil, map: .google, facts: Facts(position: .known(fix, age: .seconds(1), lastKnown: false)),
      pressedAt: moment, sentAt: moment, sincePress: .zero, drill: false)
    var message = MessageComposer.compose(composition)
    if let text { message.text = text }
    return message
  }

  /// Every character that has ever been lost on a way.
  static let odd = "1+1=2 & 50% #3\nSmith; \"q\" \\ <b>_*[ é €^ 日本 🆘👨‍👩‍👧"
}
