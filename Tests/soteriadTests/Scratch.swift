import Foundation

/// A directory of a test's own, gone with it; with `size` a file system of its own that can be full.
final class Scratch {
  struct Failure: Error { var text: String }

  let path: String
  private let isMounted: Bool

  init(options: String? = nil) throws {
    path = NSTemporaryDirectory() + "soteriad-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    isMounted = options != nil
    if let options { try Self.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", path) }
  }

  deinit {
    if isMounted { try? Self.run("umount", "-l", path) }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Between its fork and its exec, a process that another test begins has our files open for writing: tries again.
  func remount(_ option: String) throws {
    let end = Date(timeIntervalSinceNow: 30)
    while true {
      do {
        return try Self.run("mount", "-o", "remount,\(option)", path)
      } catch {
        guard Date() < end else { throw error }
      }
    }
  }

  /// Leaves no byte free, or as good as none.
  func fill() {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    while write(descriptor, block, 1) > 0 {}
  }

  /// Leaves no name free.
  func exhaustNames() {
    var number = 0
    while true {
      let descriptor = open("\(path)/name-\(number)", O_WRONLY | O_CREAT, 0o600)
      guard descriptor >= 0 else { return }
      close(descriptor)
      number += 1
    }
  }

  func freeNames() throws {
    for name in names where name.hasPrefix("name-") || name == "filler" {
      try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func bytes(_ name: String) -> [UInt8] {
    [UInt8](FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data())
  }

  func put(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  /// As a medium does that goes bad: nobody who has the file open hears of it.
  func overwrite(_ name: String, from offset: UInt64, with bytes: [UInt8]) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/\(name)"))
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  func mode(_ name: String) -> Int {
    var info = stat()
    return stat("\(path)/\(name)", &info) == 0 ? Int(info.st_mode & 0o7777) : -1
  }

  /// What the disk would hold had the power gone now: the files as they are, without anything closed.
  func afterPowerCut() throws -> Scratch {
    let other = try Scratch()
    for name in ["outbox.db", "outbox.db-wal"] where names.contains(name) { try other.put(bytes(name), name) }
    return other
  }

  static func run(_ command: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: "'\(command.joined(separator: " "))' failed; these tests need root")
    }
  }
}
