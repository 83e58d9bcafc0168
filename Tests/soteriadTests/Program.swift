import Foundation

/// The built program, run to its end.
enum Program {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  static var path: String {
    // Tests and program are built into the same directory.
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("soteriad").path
  }

  /// What it inherits: nothing of the user's, only what tells a sanitizer where to report.
  static var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter {
      $0.key.hasSuffix("SAN_OPTIONS") || $0.key.hasPrefix("ASAN_")
    }
    .merging(["PATH": "/usr/bin:/bin"]) { $1 }
  }

  /// A file of the source tree.
  static func source(_ path: String) -> String {
    URL(fileURLWithPath: #filePath).appendingPathComponent("../../../\(path)").standardized.path
  }

  static func run(
    _ arguments: [String], program: String = path, as user: Int? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    let wrapper = user.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] } ?? []
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = wrapper + [program] + arguments
    process.environment = Self.environment.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
      errors: String(decoding: complained, as: UTF8.self))
  }
}
