/// The contacts of a configuration and their routes.
struct ContactsDecoder {
  let top: ObjectReader
  let gateways: GatewaysDecoder
  let language: Language
  private var names: [String: Int] = [:]
  private var ids: [String: Int] = [:]
  private var used: Set<String> = []

  init(top: ObjectReader, gateways: GatewaysDecoder, language: Language) {
    self.top = top
    self.gateways = gateways
    self.language = language
  }

  func decode() -> [Contact] {
    var decoder = self
    return decoder.contacts()
  }

  private mutating func contacts() -> [Contact] {
    guard let nodes = top.list("contacts") else { return [] }
    if nodes.isEmpty { top.error("contacts", "is empty: nobody would be told; add a contact") }
    let readers = nodes.enumerated().map { index, node in
      ObjectReader(node, path: "contacts[\(index)]", keys: ConfigKeys.contact, report: top.report)
    }
    // Ids that were given go before those that are made up from names.
    for reader in readers.compactMap({ $0 }) { claimID(reader) }
    var contacts: [Contact] = []
    for (index, reader) in readers.enumerated() {
      if let reader, let contact = contact(reader, number: index + 1) { contacts.append(contact) }
    }
    for (name, place) in gateways.known.sorted(by: { $0.value.offset < $1.value.offset })
    where !used.contains(name) {
      top.report.warning(at: place.offset, top.report.path("gateways", name), "no contact has a route by it")
    }
    return contacts
  }

  private mutating func claimID(_ reader: ObjectReader) {
    guard let id = reader.text("id") else { return }
    guard id.utf8.count <= 64, id.unicodeScalars.allSatisfy(Self.isAllowed) else {
      return reader.error("id", "may hold only a-z, 0-9 and hyphens, at most 64 of them")
    }
    if let line = ids[id] { return reader.error("id", "is taken by the contact in line \(line)") }
    ids[id] = reader.report.line(of: reader.offset)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
  }

  private mutating func contact(_ reader: ObjectReader, number: Int) -> Contact? {
    let language = reader.choice("language") ?? language
    let routes = routes(reader)
    guard let name = reader.text("name") else { return nil }
    let line = reader.report.line(of: reader.offset)
    if let earlier = names[name] {
      reader.error("name", "is taken by the contact in line \(earlier)")
    }
    names[name] = names[name] ?? line
    let id = reader.node("id")?.json.string ?? madeUpID(name, number: number, line: line)
    return Contact(name: name, id: id, language: language, routes: routes)
  }

  /// The name in lower case with every other run of characters as one hyphen. Source: CONTRACT, `contacts[].id`.
  private mutating func madeUpID(_ name: String, number: Int, line: Int) -> String {
    var id = ""
    for character in name.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        id.append(character)
      } else if id.last != "-" {
        id.append("-")
      }
    }
    if id.allSatisfy({ $0 == "-" }) || ids[id] != nil || id.count > 64 { id = "contact-\(number)" }
    var suffix = number
    while ids[id] != nil {
      suffix += 1
      id = "contact-\(suffix)"
    }
    ids[id] = line
    return id
  }

  private mutating func routes(_ contact: ObjectReader) -> [Route] {
    guard let nodes = contact.list("routes") else { return [] }
    if nodes.isEmpty { contact.error("routes", "is empty: the contact could not be told; add a route") }
    var routes: [Route] = []
    for (index, node) in nodes.enumerated() {
      let path = "\(contact.path).routes[\(index)]"
      guard let reader = ObjectReader(node, path: path, keys: ConfigKeys.route, report: contact.report),
        let route = route(reader)
      else { continue }
      if routes.contains(where: { $0.isSame(as: route) }) {
        reader.error("gateway", "the same route stands above: remove one")
      }
      routes.append(route)
    }
    let proving = routes.compactMap { route in
      gateways.settings.first { $0.name == route.gateway }?.gateway.canProve
    }
    if !proving.isEmpty, proving.count == routes.count, !proving.contains(true) {
      contact.warning(
        "routes",
        "acceptance by these gateways proves little: add a route that tells, like twilio or telegram")
    }
    return routes
  }

  private mutating func route(_ reader: ObjectReader) -> Route? {
    let apiKey = reader.secret("api_key")
    guard let name = reader.text("gateway") else { return nil }
    guard let place = gateways.known[name] else {
      let names = gateways.known.keys.sorted()
      let near = NearestName.find(name, among: names).map { "did you mean \"\($0)\"?" }
      reader.error("gateway", "no such gateway; \(near ?? "known: \(names.joined(separator: ", "))")")
      return nil
    }
    used.insert(name)
    guard let kind = place.kind else { return nil }
    if apiKey != nil, kind != .callmebot { reader.error("api_key", "is only for routes by callmebot") }
    if kind == .callmebot, apiKey == nil, reader.node("api_key") == nil,
      let bot = gateways.settings.first(where: { $0.name == name })?.gateway as? CallMeBot, bot.apiKey == nil
    {
      reader.error("api_key", "is missing: neither this route nor the gateway has one")
    }
    let addressing = kind.gateway.addressing
    switch addressing.read(reader.node("to")) {
    case .success(let address):
      if let doubt = reader.node("to")?.json.string.flatMap(addressing.doubt) { reader.warning("to", doubt) }
      let hook = gateways.settings.first { $0.name == name }?.gateway as? Webhook
      if address == nil, let hook, hook.url.contains("{to}") {
        reader.warning("to", "is missing: the gateway's url has a place for it, {to}")
      }
      return Route(gateway: name, to: address, apiKey: apiKey)
    case .failure(let problem):
      reader.error("to", problem.text)
      return nil
    }
  }
}
