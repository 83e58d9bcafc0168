import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// Secrets that stand in a file of their own.
@Suite struct SecretFileTests {
  private func decode(secret: [UInt8]?) throws -> ConfigResult {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let key = folder.appendingPathComponent("key")
    if let secret { try Data(secret).write(to: key) }
    let text = """
      {"gateways":{"b":{"type":"telegram","bot_token":{"file":"\(key.path)"}}},
      "contacts":[{"name":"M","routes":[{"gateway":"b","to":1}]}]}
      """
    let file = folder.appendingPathComponent("soteria.json")
    try Data(text.utf8).write(to: file)
    return ConfigFile.decode(file.path).result
  }

  @Test(arguments: ["1:a", "1:a\n", "1:a\r\n", "\u{FEFF}1:a\r\n"])
  func whatAnEditorAddsIsNoPartOfASecret(_ text: String) throws {
    #expect(try decode(secret: Array(text.utf8)).config != nil)
  }

  static let bad: [[UInt8]] = [Array("1:a\n\n".utf8), Array("\n".utf8), [], [0x31, 0x3A, 0xFF]]

  @Test(arguments: bad) func otherLineBreaksAndBytesAreErrors(_ secret: [UInt8]) throws {
    let result = try decode(secret: secret)
    #expect(result.config == nil)
    #expect(result.problems.contains { $0.key == "gateways.b.bot_token" && $0.severity == .error })
  }

  @Test func aMissingSecretNamesItsFile() throws {
    let result = try decode(secret: nil)
    #expect(
      result.problems.contains { $0.key == "gateways.b.bot_token" && $0.text.hasPrefix("cannot read /") })
  }

  @Test func aMissingFileIsAnError() {
    let result = ConfigFile.decode("/nonexistent/soteria.json").result
    #expect(result.config == nil && result.problems.count == 1)
  }

  @Test(.enabled(if: geteuid() == 0, "becoming another user takes root"))
  func aCheckMissesNothingThatIsClosedToTheServiceAlone() throws {
    let scratch = try Scratch()
    chmod(scratch.path, 0o755)
    let key = "\(scratch.path)/key"
    try scratch.put(Array("1:a".utf8), "key")
    let text = """
      {"gateways":{"b":{"type":"telegram","bot_token":{"file":"\(key)"}}},
      "contacts":[{"name":"M","routes":[{"gateway":"b","to":1}]}]}
      """
    try scratch.put(Array(text.utf8), "soteria.json")
    let user = ServiceUser(user: 4711, group: 4712)
    func problems() -> [String] {
      let result = ConfigFile.decode("\(scratch.path)/soteria.json", by: .checker(for: user)).result
      return result.problems.filter { $0.severity == .error }.map(\.text)
    }

    chmod("\(scratch.path)/soteria.json", 0o644)
    chmod(key, 0o600)
    #expect(problems().count == 1)
    #expect(problems().first?.contains("cannot read \(key)") == true)
    #expect(problems().first?.contains("chgrp soteria \(key)") == true)
    chown(key, 0, 4712)
    chmod(key, 0o640)
    #expect(problems().isEmpty)
    chmod("\(scratch.path)/soteria.json", 0o600)
    #expect(problems().first?.contains("cannot read \(scratch.path)/soteria.json") == true)
    #expect(ConfigFile.decode("\(scratch.path)/soteria.json", by: .checker(for: nil)).result.config != nil)
  }
}
