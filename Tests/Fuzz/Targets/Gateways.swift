// Covers: DaemonCore/Delivery/Exchange.swift
// Covers: DaemonCore/Gateways/CallMeBot.swift
// Covers: DaemonCore/Gateways/JSON+Wire.swift
// Covers: DaemonCore/Gateways/Matrix.swift
// Covers: DaemonCore/Gateways/Ntfy.swift
// Covers: DaemonCore/Gateways/Pushover.swift
// Covers: DaemonCore/Gateways/Redirect.swift
// Covers: DaemonCore/Gateways/Request.swift
// Covers: DaemonCore/Gateways/Response+Verdict.swift
// Covers: DaemonCore/Gateways/ServerWords.swift
// Covers: DaemonCore/Gateways/Signal.swift
// Covers: DaemonCore/Gateways/Telegram.swift
// Covers: DaemonCore/Gateways/Traccar.swift
// Covers: DaemonCore/Gateways/Twilio.swift
// Covers: DaemonCore/Gateways/Webhook.swift
// Covers: DaemonCore/Gateways/WhatsApp.swift
@testable import DaemonCore

/// A server's answer: the gateway's character below, a character of flags, the status in three digits, header lines, an empty
/// line, and the body. Whatever it says, the verdict is one, names no secret, and the try comes to an end.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let gateway = gateways[input.byte() % 16 % gateways.count]
  let flags = input.byte()
  let status = Int(String(decoding: input.bytes(3), as: UTF8.self)) ?? 200
  var headers: [Header] = []
  while case let line = Array(input.text(upTo: 0x0A).utf8), !line.isEmpty {
    if let header = Header(line: line[...]) { headers.append(header) }
  }
  let body = input.remainder()
  let response = Response(
    status: status, headers: headers, body: Array(body.prefix(Response.bodyLimit)),
    truncated: body.count > Response.bodyLimit || flags & 2 != 0)
  judge(response, by: gateway, flags & 1 == 0 ? .alert : .allClear, breaks: flags & 4 != 0)
}

private let token = "71:" + secretMark
private let gateways = ConfigDecoder.decode(Array(configuration.utf8)).config?.gateways.map(\.gateway) ?? []
private let configuration = #"""
  { "gateways": {
      "0": { "type": "telegram", "bot_token": "TOKEN", "acknowledge": true },
      "1": { "type": "whatsapp", "phone_number_id": "1", "access_token": "TOKEN" },
      "2": { "type": "whatsapp", "phone_number_id": "1", "access_token": "TOKEN",
             "template": { "name": "sos", "language": "en" } },
      "3": { "type": "twilio", "url": "http://localhost:80", "account_sid": "AC1", "auth_token": "TOKEN",
             "from": "+15005550006" },
      "4": { "type": "twilio", "account_sid": "AC1", "auth_token": "TOKEN", "messaging_service_sid": "MG1",
             "channel": "whatsapp", "content_sid": "HX1" },
      "5": { "type": "callmebot", "api_key": "TOKEN" },
      "6": { "type": "webhook", "url": "https://user:TOKEN@h.example:8443/a/{to}?k=1" },
      "7": { "type": "webhook", "url": "http://[::1]/TOKEN", "body": "form",
             "accept": { "status": [200, 404], "body_contains": "ok" } },
      "8": { "type": "webhook", "url": "https://h.example", "headers": { "Authorization": "TOKEN" },
             "accept": { "json": { "path": "a.0" } } },
      "9": { "type": "webhook", "url": "https://h.example/x", "body": "{text}",
             "accept": { "json": { "path": "ok", "equals": true } } },
      ":": { "type": "matrix", "url": "https://m.example", "access_token": "TOKEN" },
      ";": { "type": "ntfy", "token": "TOKEN", "reply_topic": "reply" },
      "<": { "type": "pushover", "token": "TOKEN", "retry": "1m", "expire": "1h" },
      "=": { "type": "signal", "url": "https://s.example", "number": "+628110000001", "token": "TOKEN" },
      ">": { "type": "traccar", "url": "https://r.example" } },
    "contacts": [ { "name": "Mum", "routes": [
      { "gateway": "6" }, { "gateway": ":", "to": "!room:m.example" }, { "gateway": ";", "to": "topic" },
      { "gateway": "<", "to": "uQiRzpo4DXghDmr9QzzfQu27cmVRsG" }, { "gateway": "=", "to": "+628110000000" },
      { "gateway": "=", "to": "group.abc+/=" }, { "gateway": ">", "to": "device" } ] } ] }
  """#.replacing("TOKEN", by: token)

private func judge(_ response: Response, by gateway: any Gateway, _ kind: MessageKind, breaks: Bool) {
  let moment = WallTime(milliseconds: 1_796_004_847_000, utcOffset: 25_200, trusted: true)
  let fix = Fix(latitude: -6.1754, longitude: 106.8272, accuracy: 4.1)
  let contact = Contact(name: "Mum", id: "mum", routes: [Route(gateway: "g", to: "+628110000000")])
  let message = MessageComposer.compose(
    Composition(
      alertID: "01J", kind: kind, reason: nil, sequence: 0, contact: contact, route: contact.routes[0],
      wearer: "Ayu", template: nil, map: .google,
      facts: Facts(position: .known(fix, age: .zero, lastKnown: false)), pressedAt: moment, sentAt: moment,
      sincePress: .zero, drill: false))
  for step in gateway.steps(for: message) {
    check(gateway.outcome(of: response, to: step), response)
    checkRedirect(of: response, from: step.request)
  }
  check(gateway.probeProblem(in: response))
  check(gateway.recipientProblem(in: response, for: "+628110000000"))
  for receipt in ["5/7", "1796004847 01J/mum/0", "SM1"] {
    if case .failed(let outcome) = gateway.fate(from: response, of: receipt) {
      require(outcome.reason != nil, "a message that was taken and is called lost")
      check(outcome, response)
    }
    if let thanks = gateway.thanks(for: response, of: receipt) { checkRedirect(of: response, from: thanks) }
    if let question = gateway.fateRequest(for: receipt) { checkRedirect(of: response, from: question) }
  }
  tryOut(response, gateway, message, breaks: breaks)
}

private func check(_ outcome: Outcome, _ response: Response) {
  check(outcome.reason)
  switch outcome {
  case .accepted(let acceptance):
    require(!response.isWebPage, "a web page is taken for an acceptance")
    require(!(300...399).contains(response.status), "a redirect is taken for an acceptance")
    require(acceptance.receipt.map { $0.utf8.count <= Response.bodyLimit } ?? true, "an endless receipt")
  case .retry(_, let after): require(after.map { $0 >= .zero } ?? true, "a wait in the past")
  case .refused: break
  }
}

/// What the journal and the status repeat.
private func check(_ words: String?) {
  guard let words else { return }
  require(!words.isEmpty, "an outcome without a reason")
  require(words.utf8.count < 1000, "an endless reason")
  require(words.onOneLine == words, "a reason with control characters or line breaks: \(words)")
  require(!Array(words.utf8).holds(token), "a secret is told: \(words)")
}

/// Credentials never leave for another host, by the reading of another parser than the one that decides.
private func checkRedirect(of response: Response, from request: Request) {
  guard let onward = Redirect.target(of: response, from: request) else { return }
  require(response.status == 307 || response.status == 308, "a redirect that drops the message is followed")
  var same = onward
  same.url = request.url
  require(same == request, "a redirect changes the request")
  if let host = URLText.host(of: onward.url) {
    require(
      host.lowercased() == URLText.host(of: request.url)?.lowercased(), "to another host: \(onward.url)")
  }
  require(
    onward.url.hasPrefix("http") && !(onward.url.hasPrefix("http:") && request.url.hasPrefix("https:")),
    "off to \(onward.url)")
}

/// A server that always says the same, and where it `breaks` nothing every other time: the try ends, and what is known
/// does not change after that.
private func tryOut(_ response: Response, _ gateway: any Gateway, _ message: Message, breaks: Bool) {
  let key = Delivery.Key(alertID: "01J", contactID: "mum", sequence: 0)
  let settings = GatewaySettings(name: "g", type: "g", gateway: gateway)
  guard
    var exchange = Exchange(
      key: key, route: Route(gateway: "g"), settings: settings, timeout: .seconds(15), message: message,
      late: false)
  else { fatalError("a gateway without a request") }
  var (isFinished, count) = (false, 0)
  while true {
    count += 1
    require(count <= 4 * (Exchange.hops + 1), "a try without an end")
    let broken = TransportFailure(kind: .broken, detail: count > 2 ? "" : "reset")
    switch exchange.responded(breaks && count.isMultiple(of: 2) ? .failure(broken) : .success(response)) {
    case .send: require(!isFinished || response.status >= 307, "a try goes on after its outcome")
    case .finished(_, let next):
      require(!isFinished, "two outcomes of one try")
      isFinished = true
      if next == nil { return }
    case .companion(_, let outcome, let next):
      require(isFinished, "a companion of nothing")
      check(outcome, response)
      if next == nil { return }
    }
  }
}
