import Foundation

/// A manual page of this source tree.
struct ManualPage {
  let lines: [String]

  init(_ name: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = root.appendingPathComponent("man/\(name)")
    lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The literal block after the comment that names it; nil when there is none.
  func block(named name: String, of kind: String = "state") -> String? {
    guard let mark = lines.firstIndex(of: ".\\\" \(kind): \(name)"),
      let start = lines[mark...].firstIndex(where: { $0.hasPrefix(".Bd -literal") }),
      let end = lines[start...].firstIndex(of: ".Ed")
    else { return nil }
    return lines[(start + 1)..<end].map {
      $0.replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\e", with: "\\")
    }
    .joined(separator: "\n")
  }

  /// The names of all blocks of a kind.
  func names(of kind: String) -> [String] {
    let mark = ".\\\" \(kind): "
    return lines.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }
}
