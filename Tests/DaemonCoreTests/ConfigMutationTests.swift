import Foundation
import Testing

@testable import DaemonCore

/// Whatever stands in the file, the decoder answers, and an answer without errors is a Config.
@Suite struct ConfigMutationTests {
  @Test func noMutationTraps() throws {
    let texts = [try ConfigSample.file("etc/soteria.json"), Array(ConfigSample.complete.utf8)]
    let tokens = [
      "null", "{}", "[]", "-1", "1e999", "9223372036854775808", "\"\"", "\"\\u0000\"", "\"9999999999d\"", ",",
      "}", "{\"file\":\"/x\"}",
    ]
    .map { Array($0.utf8) }
    var entropy = Entropy(high: 0xF982, low: 823)
    for round in 0..<2000 {
      var bytes = texts[round % texts.count]
      for _ in 0...Int(entropy.next() % 3) {
        let place = Int(entropy.next() % UInt64(bytes.count))
        let end = min(bytes.count, place + Int(entropy.next() % 20))
        switch entropy.next() % 5 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: entropy.next())
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 3: bytes.replaceSubrange(place..<place, with: tokens[Int(entropy.next() % UInt64(tokens.count))])
        default:
          Self.replaceAValue(
            in: &bytes, from: place, with: tokens[Int(entropy.next() % UInt64(tokens.count))])
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      let result = ConfigDecoder.decode(bytes)
      let isBroken = result.problems.contains { $0.severity == .error }
      #expect((result.config == nil) == isBroken, "round \(round): \(String(decoding: bytes, as: UTF8.self))")
      let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
      #expect(
        result.problems.allSatisfy { (1...lines).contains($0.position.line) && $0.position.column >= 1 })
    }
  }

  /// What follows the next colon, up to a comma or a bracket: so the text stays JSON more often.
  private static func replaceAValue(in bytes: inout [UInt8], from place: Int, with token: [UInt8]) {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
    let ends = Array(",}]".utf8)
    let end = bytes[colon...].firstIndex { ends.contains($0) } ?? bytes.endIndex
    bytes.replaceSubrange(colon + 1..<end, with: token)
  }
}
