import Foundation
import Testing

@testable import DaemonCore

/// The public JSONTestSuite (github.com/nst/JSONTestSuite), where a copy of it is at hand. The tables of
/// JSONParserTests hold cases of every kind in it, so nothing rests on the copy.
@Suite struct JSONSuiteTests {
  /// `JSON_TEST_SUITE`, or `jsontestsuite/test_parsing` in a folder beside the project's.
  static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["JSON_TEST_SUITE"] {
      return URL(fileURLWithPath: path)
    }
    let beside = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    let siblings = try? FileManager.default.contentsOfDirectory(at: beside, includingPropertiesForKeys: nil)
    return siblings?.sorted { $0.path < $1.path }
      .map { $0.appendingPathComponent("jsontestsuite/test_parsing") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// What the suite leaves to each parser, and this one reads: numbers of any size, because their digits are
  /// kept as written, and a byte-order mark. Everything else it leaves open is refused: lone surrogates,
  /// what is no UTF-8, UTF-16, and deep nesting.
  static let readByChoice: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json",
    "i_number_real_pos_overflow.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
    "i_number_too_big_pos_int.json", "i_number_very_big_negative_int.json",
    "i_structure_UTF-8_BOM_empty_object.json",
  ]

  @Test(.enabled(if: folder != nil, "no jsontestsuite/test_parsing beside the project; set JSON_TEST_SUITE"))
  func everyFileIsReadOrRefusedAsItsNameSays() throws {
    let folder = try #require(Self.folder)
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    var counts: [Character: Int] = [:]
    for file in files where file.pathExtension == "json" {
      let name = file.lastPathComponent
      let kind = try #require(name.first)
      let isRead = JSON(parsing: Array(try Data(contentsOf: file))) != nil
      counts[kind, default: 0] += 1
      switch kind {
      case "y": #expect(isRead, "\(name) must be read")
      case "n": #expect(!isRead, "\(name) must be refused")
      default: #expect(isRead == Self.readByChoice.contains(name), "\(name)")
      }
    }
    #expect(counts["y", default: 0] > 0 && counts["n", default: 0] > 0 && counts["i", default: 0] > 0)
  }
}
