import Foundation
import Testing

@testable import DaemonCore

/// What soteria.json(5) shows can be copied as it stands there.
@Suite struct RecipeTests {
  /// The configuration of a recipe, with every secret it names standing in.
  static func config(_ name: String) throws -> Config {
    let block = try #require(try ManualPage("soteria.json.5").block(named: name, of: "recipe"))
    let text = "{ \(block) }"
    let references = ConfigSample.decode(text).references
    let secrets = Dictionary(references.map { ($0, SecretLookup.value("s3cret")) }) { first, _ in first }
    let result = ConfigSample.decode(text, secrets)
    #expect(result.problems.isEmpty, "\(name): \(result.problems)")
    return try #require(result.config, "\(name): \(result.problems)")
  }

  static let names = (try? ManualPage("soteria.json.5").names(of: "recipe")) ?? []

  @Test(arguments: names) func everyOneIsGood(_ name: String) throws {
    let config = try Self.config(name)
    let route = try #require(config.contacts.first?.routes.first)
    let gateway = try #require(config.gateway(named: route.gateway)?.gateway)
    let message = Sample.message(to: route.to)

    #expect(!gateway.steps(for: message).isEmpty)
  }

  @Test func thereAreSome() {
    #expect(Self.names.contains("ntfy") && Set(Self.names).count == Self.names.count)
  }
}
