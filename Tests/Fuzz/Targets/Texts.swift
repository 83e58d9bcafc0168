// Covers: DaemonCore/Alert/AlertText.swift
// Covers: DaemonCore/Alert/CleanText.swift
// Covers: DaemonCore/Alert/MapLink.swift
// Covers: DaemonCore/Alert/Message+Limit.swift
// Covers: DaemonCore/Alert/Message+Parts.swift
// Covers: DaemonCore/Alert/MessageComposer.swift
// Covers: DaemonCore/Alert/Template+Parsing.swift
// Covers: DaemonCore/Gateways/WebhookDocument.swift
// Covers: DaemonCore/Gateways/WebhookTemplate.swift
// Covers: DaemonCore/Gateways/WebhookTemplate+Parsing.swift
// Covers: DaemonCore/Gateways/WireEncoding.swift
// Covers: DaemonCore/Languages/English.swift
// Covers: DaemonCore/Languages/Indonesian.swift
@testable import DaemonCore

/// The owner's templates and names, each up to a zero byte, behind the circumstances of a message. Whatever stands in
/// them, the message holds where the wearer is, fits, and cannot break the document that carries it.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let circumstances = Circumstances(&input)
  let names = (
    wearer: input.text(upTo: 0), contact: input.text(upTo: 0), address: input.text(upTo: 0),
    to: input.text(upTo: 0)
  )
  let text = input.text(upTo: 0)
  let body = input.text(upTo: 0)

  var composition = circumstances.composition
  composition.wearer = names.wearer.isEmpty ? nil : names.wearer
  composition.contact.name = names.contact
  composition.facts = composition.facts.with(
    names.address.isEmpty ? nil : Whereabouts(words: [.english: names.address]))
  composition.route.to = names.to.isEmpty ? nil : names.to
  // Config refuses an empty one.
  if !text.isEmpty, case .success(let template) = Template.parse(text) { composition.template = template }
  let message = MessageComposer.compose(composition)
  check(message, composition)

  var plain = composition
  plain.wearer = composition.wearer.map { _ in "Ayu" }
  plain.contact.name = "Mum"
  plain.facts = composition.facts.with(
    composition.facts.address.map { _ in Whereabouts(words: [.english: "Jalan 1"]) })
  plain.route.to = composition.route.to.map { _ in "mum" }
  plain.template = nil
  check(body, message, MessageComposer.compose(plain), circumstances.contentType)
}

private struct Circumstances {
  var composition: Composition
  var contentType: String

  init(_ input: inout Input) {
    let places: [PositionFact] = [
      .unknown, .implausible, .known(Fix(latitude: -6.1754, longitude: 106.8272), age: nil, lastKnown: true),
      .known(
        Fix(latitude: 89.9999999, longitude: -179.9999999, mode: .twoD, accuracy: 1234.5, origin: .simulated),
        age: input.span(), lastKnown: false),
      .known(
        Fix(
          latitude: 0.06, longitude: 0, accuracy: 0, altitude: -1, speed: 1e3, course: 1,
          origin: .deadReckoning), age: .seconds(3), lastKnown: false),
    ]
    let number = input.byte()
    let place = places[number % places.count]
    let kinds: [MessageKind] = [.alert, .update, .allClear, .drill]
    let reasons: [UpdateReason?] = [nil, .pressedAgain, .position, .late]
    let kind = kinds[number / places.count % kinds.count]
    let pressed = WallTime(
      milliseconds: Int64(input.byte()) << 33, utcOffset: (input.byte() - 128) * 450, trusted: input.bool())
    let late = input.span()
    composition = Composition(
      alertID: "01J", kind: kind, reason: input.pick(reasons), sequence: number,
      contact: Contact(name: "", id: "mum", language: input.pick(Language.allCases), routes: []),
      route: Route(gateway: "g"), wearer: nil, template: nil, map: input.pick(MapStyle.allCases),
      facts: Facts(position: place, battery: input.pick([nil, 0, 80])), pressedAt: pressed,
      sentAt: pressed.advanced(by: late), sincePress: late, drill: input.bool() || kind == .drill)
    composition.sinceFacts = input.bool() ? late : nil
    contentType = input.pick([
      "application/json", "application/x-www-form-urlencoded", "application/xml; charset=utf-8", "text/plain",
      "Application/vnd.x+JSON",
    ])
  }
}

private func check(_ message: Message, _ composition: Composition) {
  require(!message.text.isEmpty, "a message without a text")
  for limit in [1600, 1024, 160, 1] {
    require(message.text(limit: limit).utf16.count <= limit, "longer than \(limit)")
    let flat = message.parameterText(limit: limit)
    require(flat.utf16.count <= limit, "a parameter longer than \(limit): \(flat.utf16.count)")
    require(
      !flat.utf8.contains(0x0A) && !flat.contains("  "), "a parameter with line breaks or runs of spaces")
  }
  if composition.kind != .allClear, let fix = composition.facts.position.fix, let link = message.mapURL {
    var texts = [1600, 300].filter { composition.template == nil || message.text.utf16.count > $0 }
      .map { message.text(limit: $0) }
    if composition.template == nil { texts.append(message.parameterText(limit: 1024)) }
    for text in texts {
      require(Array(text.utf8).holds(fix.coordinates), "a text without the coordinates: \(text)")
      require(Array(text.utf8).holds(link), "a text without the link: \(text)")
    }
  }
  for step in titled.flatMap({ $0.steps(for: message) }) {
    let texts = [step.request.url] + step.request.headers.map(\.value)
    require(
      texts.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } },
      "a request with control characters")
  }
  let document = WebhookDocument(message)
  let read = JSON(parsing: document.bytes)
  require(read?["text"]?.string == message.text, "a document that is read otherwise")
  require(read?.bytes == document.bytes, "a document that is written otherwise")
  let form = formEncoded(document.form)
  require(form.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a form that is no form: \(form)")
  require(form.utf8.count { $0 == UInt8(ascii: "&") } == document.form.count - 1, "a field too many: \(form)")
  require(message.text.base64.utf8.count == (message.text.utf8.count + 2) / 3 * 4, "odd base64")
}

/// Those that put a name above the text.
private let titled: [any Gateway] = [
  Ntfy(baseURL: "https://n.example", token: nil), Pushover(baseURL: "https://p.example", token: "t"),
]

/// Whether a body of JSON is one may depend on the owner's text, never on the message's.
private func check(_ body: String, _ message: Message, _ plain: Message, _ type: String) {
  require(body.replacing("{to}", by: "{to}") == body, "a text that changes by replacing nothing")
  guard case .success(let template) = WebhookTemplate.parse(body) else { return }
  let rendered = template.rendered(for: message, contentType: type)
  let usual = template.rendered(for: plain, contentType: type)
  // A backslash before a placeholder makes an escape of what follows.
  guard type.hasSuffix("json") || type.hasSuffix("JSON"), !body.utf8.contains(UInt8(ascii: "\\")) else {
    return
  }
  require(
    (JSON(parsing: rendered) == nil) == (JSON(parsing: usual) == nil),
    "a body that the message breaks: \(rendered)")
}
