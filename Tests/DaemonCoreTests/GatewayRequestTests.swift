import Foundation
import Testing

@testable import DaemonCore

/// What the gateways send.
@Suite struct GatewayRequestTests {
  static let odd = "1+1=2 & 50% #3\nSmith; \"q\" \\ <b>_*[ é 🆘👨‍👩‍👧"

  static func form(_ request: Request) -> [String: String] {
    var fields: [String: String] = [:]
    for pair in String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // A server reads a bare plus as a space.
      let value = parts[1].replacingOccurrences(of: "+", with: " ").removingPercentEncoding
      fields[String(parts[0])] = value
    }
    return fields
  }

  private func object(_ request: Request) throws -> NSDictionary {
    let any = try JSONSerialization.jsonObject(with: Data(request.body ?? []))
    return try #require(any as? NSDictionary)
  }

  @Test func everyCharacterArrives() throws {
    let message = Sample.message(to: "+31600000000", text: Self.odd)
    let twilio = Twilio(
      baseURL: "http://t", accountSID: "AC1", authToken: "secret", sender: .from("+15005550006"),
      channel: .sms, contentSID: nil)
    let fields = Self.form(try #require(twilio.steps(for: message).first).request)
    let telegram = Telegram(baseURL: "http://t", botToken: "1:a")
    let whatsapp = WhatsApp(
      baseURL: "http://w", phoneNumberID: "1", accessToken: "t", apiVersion: "v20.0", template: nil)
    let callMeBot = CallMeBot(baseURL: "http://c", apiKey: "k")
    func hook(_ body: WebhookBody, _ type: String = "application/json") throws -> Request {
      let hook = Webhook(
        url: "http://h", method: "POST", headers: [], body: body, contentType: type, accept: WebhookAccept())
      return try #require(hook.steps(for: message).first).request
    }
    let template = WebhookBody.template(
      WebhookTemplate(pieces: [
        .literal("{\"t\":\""), .placeholder(.text), .literal("\"}"),
      ]))
    let formTemplate = WebhookBody.template(WebhookTemplate(pieces: [.literal("t="), .placeholder(.text)]))

    #expect(fields["To"] == "+31600000000" && fields["From"] == "+15005550006")
    #expect(fields["Body"] == Self.odd)
    #expect(try object(telegram.steps(for: message)[0].request)["text"] as? String == Self.odd)
    let text = try object(whatsapp.steps(for: message)[0].request)["text"] as? NSDictionary
    #expect(text?["body"] as? String == Self.odd)
    let url = try #require(URLComponents(string: callMeBot.steps(for: message)[0].request.url))
    #expect(url.queryItems?.map(\.value) == ["+31600000000", Self.odd, "k"])
    #expect(try object(hook(.json))["text"] as? String == Self.odd)
    #expect(Self.form(try hook(.form))["text"] == Self.odd)
    #expect(try object(hook(template))["t"] as? String == Self.odd)
    #expect(Self.form(try hook(formTemplate, "application/x-www-form-urlencoded"))["t"] == Self.odd)
  }

  /// Markup would have to be escaped, and a mistake in that costs the message.
  @Test func telegramGetsPlainText() throws {
    let text = "salon_2 (nr. 5) - A*b [c] `d` <e> ~f~ ||g||!"
    let message = Sample.message(to: "5", text: text)

    let sent = try object(Telegram(baseURL: "http://t", botToken: "1:a").steps(for: message)[0].request)

    #expect(sent == ["chat_id": 5, "text": text])
  }

  @Test func webhookDocumentIsToTheLetter() {
    let hook = Webhook(
      url: "https://h/x?to={to}", method: "POST", headers: [Header("X-Token", "s")], body: .json,
      contentType: "application/json", accept: WebhookAccept())

    let request = hook.steps(for: Sample.message(to: "+62 8", text: "T"))[0].request

    #expect(request.url == "https://h/x?to=%2B62%208" && request.method == "POST")
    #expect(
      request.headers == [
        Header("Content-Type", "application/json"), Header("Idempotency-Key", "01J/mum/0"),
        Header("X-Token", "s"),
      ])
    #expect(
      String(decoding: request.body ?? [], as: UTF8.self)
        == #"{"version":1,"alert":"01J","kind":"alert","reason":null,"sequence":0,"contact":"Mum","#
        + #""to":"+62 8","wearer":"Ayu","text":"T","pressed_at":"2026-11-30T02:14:07Z","#
        + #""sent_at":"2026-11-30T02:14:07Z","clock_trusted":true,"position":{"lat":-6.175400,"#
        + #""lon":106.827200,"accuracy_m":4.1,"altitude_m":12.0,"speed_mps":1.2,"course_deg":84.0,"#
        + #""mode":"3d","age_s":1.0,"last_known":false},"#
        + #""map_url":"https://maps.google.com/?q=-6.175400,106.827200","address":null,"battery_percent":null}"#
    )
  }

  @Test func webhookDocumentOfNothingKnownIsNull() throws {
    let hook = Webhook(
      url: "http://h", method: "POST", headers: [], body: .json, contentType: "application/json",
      accept: WebhookAccept())
    let bare = PositionFact.known(Fix(latitude: 1, longitude: 2, mode: .twoD), age: nil, lastKnown: true)

    let unknown = try object(hook.steps(for: Sample.message(to: nil, position: .unknown))[0].request)
    let sparse = try object(hook.steps(for: Sample.message(position: bare))[0].request)

    for key in ["position", "map_url", "to", "reason", "address"] { #expect(unknown[key] is NSNull) }
    let place = try #require(sparse["position"] as? NSDictionary)
    for key in ["accuracy_m", "altitude_m", "speed_mps", "course_deg", "age_s"] {
      #expect(place[key] is NSNull)
    }
    #expect(place["last_known"] as? Bool == true && place["mode"] as? String == "2d")
  }

  @Test func ownersHeadersWin() {
    let hook = Webhook(
      url: "http://h", method: "PUT", headers: [Header("content-type", "text/x")], body: .json,
      contentType: "application/json", accept: WebhookAccept())

    let request = hook.steps(for: Sample.message())[0].request

    #expect(request.headers == [Header("Idempotency-Key", "01J/mum/0"), Header("content-type", "text/x")])
  }

  @Test(arguments: [
    (
      "application/json", #"{"lat":"#, #","say":""#, #"","w":"#, "}",
      #"{"lat":null,"say":"unknown","w":"A\"<yu"}"#
    ),
    (
      "application/json", #"{"a":"\"","lat":"#, #","b":"\\","say":""#, #" \" ","w":"#, "}",
      #"{"a":"\"","lat":null,"b":"\\","say":"unknown \" ","w":"A\"<yu"}"#
    ),
    ("application/cloudevents+json; charset=utf-8", "[", ",\"", "\",", "]", #"[null,"unknown","A\"<yu"]"#),
    ("application/x-www-form-urlencoded", "a=", "&b=", "&c=", "", "a=unknown&b=unknown&c=A%22%3Cyu"),
    ("text/xml", "<a>", "|", "|", "</a>", "<a>unknown|unknown|A&quot;&lt;yu</a>"),
    ("text/plain", "", " ", " ", "", "unknown unknown A\"<yu"),
  ])
  func ownBodyIsEscaped(type: String, a: String, b: String, c: String, d: String, body: String) {
    let template = WebhookTemplate(pieces: [
      .literal(a), .placeholder(.lat), .literal(b), .placeholder(.lon), .literal(c), .placeholder(.wearer),
      .literal(d),
    ])
    let message = MessageComposer.compose(Sample.composition(wearer: "A\"<yu", position: .unknown))

    #expect(template.rendered(for: message, contentType: type) == body)
  }

  @Test func everyWebhookPlaceholderIsFilled() {
    let message = Sample.message()

    for name in WebhookPlaceholder.allCases {
      let template = WebhookTemplate(pieces: [.placeholder(name)])
      #expect(!template.rendered(for: message, contentType: "text/plain").isEmpty, "\(name)")
    }
  }

  @Test func whatsAppTemplateGoesFirst() throws {
    let gateway = WhatsApp(
      baseURL: "http://w", phoneNumberID: "123", accessToken: "tok", apiVersion: "v20.0",
      template: WhatsAppTemplate(name: "panic", language: "en_US"))

    let steps = gateway.steps(for: Sample.message())
    let blind = gateway.steps(for: Sample.message(position: .unknown))
    let clear = gateway.steps(for: Sample.message(kind: .allClear))

    #expect(steps.map(\.name) == ["template", "template", "text", "location"])
    #expect(steps.map(\.fallback) == [false, true, false, false])
    #expect(blind.map(\.name) == ["template", "text"] && blind.map(\.fallback) == [false, false])
    #expect(clear.map(\.name) == ["template", "text"])
    #expect(steps[0].request.url == "http://w/v20.0/123/messages")
    #expect(steps[0].request.headers.first == Header("Authorization", "Bearer tok"))
    let template = try #require(try object(steps[0].request)["template"] as? NSDictionary)
    let components = try #require(template["components"] as? [NSDictionary])
    #expect(components.map { $0["type"] as? String } == ["header", "body"])
    let plain = try #require(try object(blind[0].request)["template"] as? NSDictionary)
    #expect((plain["components"] as? [NSDictionary])?.map { $0["type"] as? String } == ["body"])
    let parameter = try #require((components[1]["parameters"] as? [NSDictionary])?.first?["text"] as? String)
    #expect(parameter.hasPrefix("🆘 Ayu pressed the panic button and needs help. | Position"))
  }

  @Test func templateParameterHoldsNoBreaksAndFits() {
    var message = Sample.message()
    message.text += "\n\ta      b\n" + String(repeating: "line\n", count: 400)

    let text = message.parameterText(limit: 1024)

    #expect(text.utf16.count <= 1024 && text.contains("| a b |"))
    #expect(!text.contains("\n") && !text.contains("\t") && !text.contains("    "))
    #expect(text.contains("-6.175400, 106.827200") && text.contains("https://maps.google.com/"))
  }

  @Test func twilioSendsOnItsChannel() {
    func request(_ sender: TwilioSender, _ channel: TwilioChannel, _ content: String?) -> Request {
      Twilio(
        baseURL: "http://t", accountSID: "AC1", authToken: "x", sender: sender, channel: channel,
        contentSID: content
      ).steps(for: Sample.message(text: "a\nb"))[0].request
    }

    let sms = Self.form(request(.messagingService("MG1"), .sms, nil))
    let template = Self.form(request(.from("+1"), .whatsapp, "HX1"))

    #expect(sms == ["To": "+628110000000", "MessagingServiceSid": "MG1", "Body": "a\nb"])
    #expect(
      template == [
        "To": "whatsapp:+628110000000", "From": "whatsapp:+1", "ContentSid": "HX1",
        "ContentVariables": #"{"1":"a | b"}"#,
      ])
    let sent = request(.from("+1"), .sms, nil)
    #expect(sent.url == "http://t/2010-04-01/Accounts/AC1/Messages.json")
    #expect(sent.headers.first == Header("Authorization", "Basic QUMxOng="))
  }

  @Test(arguments: [1600, 1601, 9000]) func textFitsEachService(length: Int) throws {
    let message = Sample.message(text: String(repeating: "é", count: length))
    let twilio = Twilio(
      baseURL: "t", accountSID: "A", authToken: "x", sender: .from("+1"), channel: .sms, contentSID: nil)
    let telegram = Telegram(baseURL: "t", botToken: "b")

    #expect(try #require(Self.form(twilio.steps(for: message)[0].request)["Body"]).utf16.count <= 1600)
    let text = try #require(try object(telegram.steps(for: message)[0].request)["text"] as? String)
    #expect(text.utf16.count == min(length, 4096))
  }

  @Test(arguments: [("-100123456789012", true), ("@family", false), ("99999999999999999999", false)])
  func telegramChatIsANumberWhereItIsOne(to: String, isNumber: Bool) throws {
    let steps = Telegram(baseURL: "http://t", botToken: "1:a").steps(for: Sample.message(to: to))

    #expect(steps.map(\.name) == ["text", "location"])
    for step in steps {
      let chat = try object(step.request)["chat_id"]
      #expect(isNumber ? (chat as? NSNumber)?.int64Value == Int64(to) : chat as? String == to)
    }
    #expect(try object(steps[0].request)["parse_mode"] == nil)
    #expect(steps[1].request.url == "http://t/bot1:a/sendLocation")
  }

  @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar", "🆘é\u{0}"])
  func base64IsFoundations(text: String) {
    #expect(text.base64 == Data(text.utf8).base64EncodedString())
  }

  @Test func callMeBotTakesTheRoutesKey() {
    var message = Sample.message(text: "t")
    message.composition.route.apiKey = "mine"

    let step = CallMeBot(baseURL: "http://c", apiKey: "shared").steps(for: message)[0]

    #expect(step.request.method == "GET" && step.request.body == nil)
    #expect(step.request.url == "http://c/whatsapp.php?phone=%2B628110000000&text=t&apikey=mine")
  }

  @Test func aServiceThatTellsNothingMoreIsAskedNothingMore() {
    let hook = Webhook(
      url: "http://h", method: "POST", headers: [], body: .json, contentType: "application/json",
      accept: WebhookAccept())

    #expect(hook.probe == nil && hook.fateRequest(for: "receipt") == nil)
    #expect(hook.probeProblem(in: Response(status: 401)) == nil)
    #expect(hook.recipientProbe(for: "x") == nil)
    #expect(hook.recipientProblem(in: Response(status: 404), for: "x") == nil)
    #expect(hook.fate(from: Response(status: 200)) == .unknown)
  }

  @Test func anAnswerThatSaysNothingTellsNoFate() {
    let ntfy = Ntfy(baseURL: "https://n", token: nil, replyTopic: "r")
    #expect(ntfy.fate(from: Response(status: 500), of: "1 01J/mum/0") == .unknown)
    let bot = Telegram(baseURL: "https://b", botToken: "1:a")
    let press = #"{"ok":true,"result":[{"callback_query":{"message":{"message_id":7}}}]}"#
    #expect(bot.fate(from: Sample.answer(200, press), of: "5/7") == .unknown)
  }

  @Test func aRoomIsAskedAboutByTheRoomsThatTheAccountIsIn() {
    let matrix = Matrix(baseURL: "https://m", accessToken: "t")
    #expect(matrix.recipientProbe(for: "!room:m")?.url.hasSuffix("/joined_rooms") == true)
  }
}
