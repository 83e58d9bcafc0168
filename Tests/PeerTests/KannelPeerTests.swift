import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// The manual's recipe against kannel, and what comes out at the other end of it.
@Suite struct KannelPeerTests {
  private let facts: [String: String]
  /// The recipe as soteria.json(5) has it; only the server's place is this one's.
  private let recipe: String

  init() throws {
    facts = try Servers.facts(of: "kannel")
    let page = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../man/soteria.json.5")
      .standardized
    let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
    let mark = try #require(lines.firstIndex(of: ".\\\" recipe: kannel"))
    let end = try #require(lines[mark...].firstIndex(of: ".Ed"))
    recipe = lines[(mark + 2)..<end].joined(separator: "\n")
      .replacingOccurrences(of: "http://localhost:13013", with: try #require(facts["url"]))
  }

  private func gateway(_ text: String? = nil) throws -> any Gateway {
    let result = ConfigDecoder.decode(Array("{\(text ?? recipe)}".utf8))
    return try #require(result.config?.gateways.first?.gateway, "\(result.problems)")
  }

  /// What the phone of that number got, parts joined, and how many there were.
  private func inbox(of number: String) throws -> (text: String, parts: Int) {
    let log = try String(contentsOfFile: try #require(facts["phone"]), encoding: .utf8)
    var (units, parts): ([UInt8], Int) = ([], 0)
    for line in log.components(separatedBy: "\n") where line.contains("Got message") {
      let words = line.components(separatedBy: "<").last?.dropLast().components(separatedBy: " ") ?? []
      guard words.count > 2, words[1] == number, let data = words.last else { continue }
      units += Self.decoded(data)
      parts += 1
    }
    return (String(decoding: Self.pairs(units), as: UTF16.self), parts)
  }

  private static func decoded(_ text: String) -> [UInt8] {
    var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text[...].utf8)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return bytes
  }

  private static func pairs(_ bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
  }

  /// The phone says what it got a moment after kannel took it.
  private func arrived(at number: String, count: Int) throws -> (text: String, parts: Int) {
    let end = ContinuousClock.now + .seconds(30)
    while try inbox(of: number).parts < count, ContinuousClock.now < end {}
    return try inbox(of: number)
  }

  @Test func everyCharacterArrives() throws {
    let message = Servers.message(to: "+628110000001", text: Servers.odd)

    #expect(try Servers.outcomes(gateway(), message) == [.accepted(Acceptance())])

    #expect(try arrived(at: "+628110000001", count: 1).text == Servers.odd)
  }

  @Test(arguments: [("+628110000002", "ê"), ("+628110000003", "a"), ("+628110000004", "🆘")])
  func aLongTextArrivesInSixPartsWithWhoAndWhere(number: String, filling: String) throws {
    let message = Servers.message(to: number, text: String(repeating: filling, count: 2000))

    #expect(try Servers.outcomes(gateway(), message) == [.accepted(Acceptance())])

    let inbox = try arrived(at: number, count: 6)
    #expect(inbox.parts == 6)
    #expect(inbox.text.hasPrefix(filling + filling) && inbox.text.contains("Ayu pressed the panic button"))
    #expect(inbox.text.hasSuffix("https://maps.google.com/?q=-6.175400,106.827200"))
  }

  @Test(arguments: [
    ("password=s3cret", "password=wrong", "not allowed (403)"),
    ("&to={to}", "", "unexpected answer (400)"),
    ("/cgi-bin/sendsms", "/cgi-bin/elsewhere", "nothing at this address (404)"),
  ])
  func whatIsWrongIsNeverAcceptance(part: String, instead: String, reason: String) throws {
    let broken = recipe.replacingOccurrences(of: part, with: instead)
    let message = Servers.message(to: "+628110000005", text: "x")

    #expect(try Servers.outcomes(gateway(broken), message) == [.retry(reason: reason, after: nil)])
    #expect(try inbox(of: "+628110000005").parts == 0)
  }
}
