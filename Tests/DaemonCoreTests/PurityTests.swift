import Foundation
import Testing

@testable import DaemonCore

/// The core decides and touches nothing.
@Suite struct PurityTests {
  /// Pure functions alone may come from outside.
  static let allowed: Set<String> = [
    "import func Glibc.asin", "import func Glibc.atan2", "import func Glibc.cos", "import func Glibc.sin",
  ]

  @Test func theCoreImportsNothingThatActs() throws {
    let folder = ConfigSample.root.appendingPathComponent("Sources/DaemonCore")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ").prefix { !$0.hasPrefix("//") }
        guard words.contains("import") else { continue }
        #expect(Self.allowed.contains(words.joined(separator: " ")), "\(file.lastPathComponent): \(line)")
      }
    }
    #expect(count > 50)
  }
}
