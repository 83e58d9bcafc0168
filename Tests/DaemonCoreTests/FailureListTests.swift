import Foundation
import Testing

/// Tests/FAILURES.md names tests, scenarios and lines that exist.
@Suite struct FailureListTests {
  /// A row of the list: what must not happen, and what shows that it does not.
  private struct Row {
    var id: String
    var lines: [String]
  }

  private static var rows: [Row] {
    get throws {
      let text = String(decoding: try ConfigSample.file("Tests/FAILURES.md"), as: UTF8.self)
      var rows: [Row] = []
      for line in text.split(separator: "\n") {
        if let found = line.firstMatch(of: #/^\*\*(F[0-9]+)\*\* /#) {
          rows.append(Row(id: String(found.1), lines: []))
        } else if line.hasPrefix("#") {
          continue
        } else if !rows.isEmpty {
          rows[rows.count - 1].lines.append(String(line))
        }
      }
      return rows
    }
  }

  /// Every file of the project below `folder` with that ending, as text.
  private static func texts(_ folder: String, _ ending: String) throws -> [String] {
    let url = ConfigSample.root.appendingPathComponent(folder)
    let files = try #require(FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == ending }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// `Suite.test` of every test, as the sources have it.
  private static var tests: Set<String> {
    get throws {
      var names: Set<String> = []
      for text in try texts("Tests", "swift") {
        var (suite, isTest) = ("", false)
        for line in text.split(separator: "\n") {
          if let found = line.firstMatch(of: /struct ([A-Za-z]+Tests) \{/) { suite = String(found.1) }
          isTest = isTest || line.contains("@Test")
          if isTest, let found = line.firstMatch(of: /func ([A-Za-z0-9]+)\(/) {
            names.insert("\(suite).\(found.1)")
            isTest = false
          }
        }
      }
      return names
    }
  }

  @Test func everyRowStandsOnceAndIsProven() throws {
    let rows = try Self.rows

    #expect(rows.count > 40)
    #expect(rows.map(\.id) == Set(rows.map(\.id)).sorted())
    for row in rows { #expect(row.lines.contains { $0.hasPrefix("- `") }, "\(row.id)") }
  }

  @Test func everyTestOfTheListExists() throws {
    let tests = try Self.tests
    #expect(tests.count > 300)
    for row in try Self.rows {
      for line in row.lines where line.hasPrefix("- `") {
        let found = try #require(line.firstMatch(of: /^- `([A-Za-z]+\.[A-Za-z0-9]+)`/), "\(row.id): \(line)")
        #expect(tests.contains(String(found.1)), "\(row.id): \(found.1)")
      }
    }
  }

  @Test func everyScenarioOfTheListExists() throws {
    let scenarios = try Self.texts("Support/vm/scenarios", "py").joined()
    for row in try Self.rows {
      for line in row.lines {
        for found in line.matches(of: /scenario "([^"]+)"/) {
          #expect(scenarios.contains("@scenario(\"\(found.1)\""), "\(row.id): \(found.1)")
        }
      }
    }
  }

  /// The line without which a test fails stands where the list says.
  @Test func everyLineOfTheListStandsInItsFile() throws {
    for row in try Self.rows {
      for line in row.lines where line.hasPrefix("- `") {
        guard let found = line.firstMatch(of: #/ fails without `(.+)` in `([^`]+)`/#) else { continue }
        let text = String(decoding: try ConfigSample.file(String(found.2)), as: UTF8.self)
        #expect(text.contains(String(found.1)), "\(row.id): \(found.2) has no \(found.1)")
      }
    }
  }
}
