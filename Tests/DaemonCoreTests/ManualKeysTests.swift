import Foundation
import Testing

@testable import DaemonCore

/// soteria.json(5) and the decoder know the same keys.
@Suite struct ManualKeysTests {
  /// A key of an object, with the keys below it.
  private static func paths(_ keys: [ConfigKey], under prefix: String) -> [String] {
    keys.flatMap { key in
      let path = prefix + key.name
      if case .object(let inner) = key.kind { return [path] + paths(inner, under: path + ".") }
      return [path]
    }
  }

  private static var known: Set<String> {
    var all = paths(ConfigKeys.top, under: "")
    all += paths(ConfigKeys.contact, under: "contacts[].")
    all += paths(ConfigKeys.route, under: "contacts[].routes[].")
    all += paths(ConfigKeys.commonGateway, under: "gateways.NAME.")
    for kind in GatewayKind.allCases { all += paths(kind.gateway.keys, under: "\(kind.rawValue): ") }
    return Set(all)
  }

  /// What stands as `.It Cm KEY`; in a section named for a gateway's type it is a key of that type.
  private static func described(by page: ManualPage) -> [String] {
    var section = ""
    return page.lines.compactMap { line in
      if line.hasPrefix(".Ss ") { section = String(line.dropFirst(4)) }
      guard line.hasPrefix(".It Cm ") else { return nil }
      let key = String(line.dropFirst(7))
      return GatewayKind(rawValue: section) == nil ? key : "\(section): \(key)"
    }
  }

  @Test func everyKeyOfTheDecoderIsDescribedAndNoOther() throws {
    let described = try Self.described(by: ManualPage("soteria.json.5"))

    #expect(Set(described).count == described.count)
    #expect(Self.known.subtracting(described).sorted() == [])
    #expect(Set(described).subtracting(Self.known).sorted() == [])
  }

  @Test func everyTypeOfGatewayIsListed() throws {
    let page = try ManualPage("soteria.json.5")
    let start = try #require(page.lines.firstIndex(of: ".It Cm gateways.NAME.type"))
    let listed = page.lines[start...].first { $0.hasPrefix("Limits: ") }
    let types = GatewayKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    #expect(listed == "Limits: \(types).")
    for kind in GatewayKind.allCases { #expect(page.lines.contains(".Ss \(kind.rawValue)")) }
  }

  @Test func everyLimitOfADurationIsToldAsItIs() throws {
    let page = try ManualPage("soteria.json.5")
    let tables = [
      ("gps", ConfigKeys.gps), ("button", ConfigKeys.button), ("alert", ConfigKeys.alert),
      ("alert.updates", ConfigKeys.updates), ("geocoder", ConfigKeys.geocoder),
      ("delivery", ConfigKeys.delivery),
      ("gateways.NAME", ConfigKeys.commonGateway),
    ]
    for (prefix, keys) in tables {
      for key in keys {
        guard case .duration(let range) = key.kind else { continue }
        let start = try #require(page.lines.firstIndex(of: ".It Cm \(prefix).\(key.name)"))
        let limits = page.lines[start...].first { $0.hasPrefix("Limits: ") }
        #expect(limits == "Limits: \"\(range.lowerBound.text)\" to \"\(range.upperBound.text)\".")
      }
    }
  }

  @Test func whatIsNotHonouredSaysSo() throws {
    let page = try ManualPage("soteria.json.5")
    for key in ConfigKeys.top {
      guard case .unsupported = key.kind else { continue }
      let start = try #require(page.lines.firstIndex(of: ".It Cm \(key.name)"))
      #expect(page.lines[start...].prefix(4).contains { $0.contains("Not honoured by this version") })
    }
  }
}
