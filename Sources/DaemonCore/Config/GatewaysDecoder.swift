/// The gateways of a configuration, and which of their names are known even where the entry has errors.
struct GatewaysDecoder {
  private(set) var settings: [GatewaySettings] = []
  /// Where each name stands and, where it can be told, what kind it is.
  private(set) var known: [String: (offset: Int, kind: GatewayKind?)] = [:]

  static func decode(_ top: ObjectReader) -> GatewaysDecoder {
    var decoder = GatewaysDecoder()
    guard let node = top.node("gateways") else { return decoder }
    guard case .object(let members) = node.content else {
      top.error("gateways", "must be an object in { }, not \(node.typeName)")
      return decoder
    }
    let entries = ObjectReader.present(members)
    if entries.isEmpty { top.error("gateways", "is empty: nobody could be told; add a gateway") }
    for entry in entries { decoder.read(entry, top.report) }
    return decoder
  }

  private mutating func read(_ member: JSONNode.Member, _ report: ConfigReport) {
    let path = report.path("gateways", member.key)
    known[member.key] = (member.keyOffset, nil)
    if member.key.isEmpty || member.key.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      report.error(at: member.keyOffset, path, "a gateway's name may not be empty or hold control characters")
    }
    guard case .object(let entries) = member.value.content else {
      return report.error(
        at: member.value.offset, path, "must be an object in { }, not \(member.value.typeName)")
    }
    // The type decides which keys are known, so it is looked at first.
    let type = entries.first { $0.key == "type" }?.value.json.string
    let kind = type.flatMap(GatewayKind.init(rawValue:))
    let keys = ConfigKeys.commonGateway + (kind?.gateway.keys ?? [])
    guard let kind else {
      // With an unknown type, complaints about the other keys would only mislead.
      let entry = JSONNode(
        offset: member.value.offset, content: .object(entries.filter { $0.key == "type" }))
      let reader = ObjectReader(entry, path: path, keys: keys, report: report)
      _ = reader?.choice("type", as: GatewayKind.self)
      return
    }
    known[member.key] = (member.keyOffset, kind)
    guard let reader = ObjectReader(member.value, path: path, keys: keys, report: report) else { return }
    let timeout = reader.duration("timeout")
    let caFile = reader.text("ca_file")
    if let caFile, !caFile.hasPrefix("/") { reader.error("ca_file", "must be an absolute path") }
    guard let gateway = kind.gateway.decode(reader) else { return }
    // A url that was not looked up, or cannot be seen from here, may well be https.
    if caFile != nil, gateway.baseURL != ConfigReport.standIn, !gateway.baseURL.hasPrefix("https:") {
      reader.error("ca_file", "is of no use: the gateway's url is not https")
    }
    settings.append(
      GatewaySettings(
        name: member.key, type: kind.rawValue, gateway: gateway, timeout: timeout, caFile: caFile))
  }
}
