// Covers: DaemonCore/Config/ConfigDecoder.swift
// Covers: DaemonCore/Config/ConfigProblem.swift
// Covers: DaemonCore/Config/ConfigReport.swift
// Covers: DaemonCore/Config/ConfigReport+Keys.swift
// Covers: DaemonCore/Config/ContactsDecoder.swift
// Covers: DaemonCore/Config/GatewayKind.swift
// Covers: DaemonCore/Config/GatewaysDecoder.swift
// Covers: DaemonCore/Config/NearestName.swift
// Covers: DaemonCore/Config/ObjectReader.swift
// Covers: DaemonCore/Config/URLText.swift
// Covers: DaemonCore/Gateways/CallMeBot+Config.swift
// Covers: DaemonCore/Gateways/Telegram+Config.swift
// Covers: DaemonCore/Gateways/Twilio+Config.swift
// Covers: DaemonCore/Gateways/Webhook+Config.swift
// Covers: DaemonCore/Gateways/WhatsApp+Config.swift
// Covers: DaemonCore/JSON/JSONParser.swift
// Covers: DaemonCore/JSON/JSON+Text.swift
// Covers: DaemonCore/JSON/JSONWritable.swift
// Covers: DaemonCore/JSON/JSONWriter.swift
// Covers: DaemonCore/JSON/PlainNumber.swift
@testable import DaemonCore

/// Whatever the file says, the answer is a configuration that can send, or problems that show no secret.
func fuzz(_ bytes: [UInt8]) {
  let first = ConfigDecoder.decode(bytes)
  check(first, of: bytes)
  let lookups: [SecretLookup] = [
    .value("71:" + secretMark), .value(secretMark + "\n" + secretMark), .value("ftp://" + secretMark + "/ x"),
    .failed("cannot read it"), .hidden("cannot be seen from here"),
  ]
  if !first.references.isEmpty, !holdsMark(bytes) {
    for lookup in lookups {
      let secrets = Dictionary(first.references.map { ($0, lookup) }, uniquingKeysWith: { old, _ in old })
      let result = ConfigDecoder.decode(bytes, secrets: secrets)
      check(result, of: bytes)
      checkSilence(result)
    }
  }
  guard let json = JSON(parsing: bytes) else { return }
  require(JSON(parsing: json.encoded) == json, "what was read is written differently")
  require(JSON(parsing: json.pretty) == json, "what was read is written differently for people")
  guard !holdsMark(bytes) else { return }
  let marked = Array(markingSecrets(json, isSecret: false).encoded.utf8)
  let result = ConfigDecoder.decode(marked)
  check(result, of: marked)
  checkSilence(result)
}

private func check(_ result: ConfigResult, of bytes: [UInt8]) {
  let isBroken = result.problems.contains { $0.severity == .error }
  require((result.config == nil) == isBroken, "a configuration with errors, or none without")
  let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
  for problem in result.problems {
    require((1...lines).contains(problem.position.line) && problem.position.column >= 1, "no such place")
    require(!problem.text.isEmpty, "a problem that says nothing")
    require(problem.line(file: "f").utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a problem of two lines")
  }
  require(
    zip(result.problems, result.problems.dropFirst()).allSatisfy { $0.position <= $1.position },
    "problems out of order")
  if let config = result.config { check(config) }
}

private func check(_ config: Config) {
  require(!config.contacts.isEmpty, "nobody is told")
  require(Set(config.contacts.map(\.id)).count == config.contacts.count, "two contacts with one id")
  for contact in config.contacts {
    require(
      (1...64).contains(contact.id.utf8.count)
        && contact.id.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains($0) },
      "an odd id")
    require(!contact.routes.isEmpty, "a contact without a route")
    for route in contact.routes {
      guard let settings = config.gateways.named(route.gateway) else { fatalError("a route to nowhere") }
      let composition = Composition(
        alertID: "01J", kind: .alert, reason: nil, sequence: 0, contact: contact, route: route,
        wearer: config.wearer.name, template: config.alert.text, map: config.alert.map,
        facts: Facts(position: .known(Fix(latitude: 1, longitude: 2), age: .zero, lastKnown: false)),
        pressedAt: WallTime(milliseconds: 0, utcOffset: 0, trusted: true),
        sentAt: WallTime(milliseconds: 0, utcOffset: 0, trusted: true), sincePress: .zero, drill: false)
      let steps = settings.gateway.steps(for: MessageComposer.compose(composition))
      require(!steps.isEmpty, "a message that cannot be sent")
      for step in steps { check(step.request) }
    }
  }
  for settings in config.gateways { settings.gateway.probe.map(check) }
}

/// The daemon sends no request with control characters: a configuration that makes one is broken.
private func check(_ request: Request) {
  let texts = [request.method, request.url] + request.headers.flatMap { [$0.name, $0.value] }
  require(
    texts.allSatisfy { $0.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 } },
    "a request with control characters")
}

private func checkSilence(_ result: ConfigResult) {
  for problem in result.problems {
    require(!holdsMark(Array(problem.line(file: "f").utf8)), "a secret is shown: \(problem)")
  }
}

private func holdsMark(_ bytes: [UInt8]) -> Bool { bytes.holds(secretMark) }

/// Puts the mark into every text that is a secret by its key. A URL may be one, but not of every gateway.
private func markingSecrets(_ json: JSON, isSecret: Bool) -> JSON {
  switch json {
  case .string(let text): isSecret ? .string(text + secretMark) : json
  case .array(let elements): .array(elements.map { markingSecrets($0, isSecret: isSecret) })
  case .object(let members):
    .object(
      members.map { member in
        let keys = ["bot_token", "access_token", "auth_token", "token", "api_key", "headers", "url"]
        let isReference = member.key == "file" || member.key == "credential"
        return JSON.Member(
          key: member.key,
          value: markingSecrets(member.value, isSecret: keys.contains(member.key) || isSecret && !isReference)
        )
      })
  case .null, .bool, .number: json
  }
}
