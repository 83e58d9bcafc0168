import CGpiod
import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// The built daemon as a service manager would run it, with directories, a notify socket and a button of its own.
///
/// The button is a pipe of the kernel's event records: number 3 of the descriptors that the manager passes on.
final class DaemonBench {
  let scratch: Scratch
  let state: String
  private let runtime: String
  private let notifySocket: Int32
  private let button: Int32
  private var process: Process?
  private var output: FileHandle?
  private var edges: UInt32 = 0
  private(set) var log = ""
  private(set) var notifications: [String] = []
  private var heeded = 0

  var pid: Int32 { process?.processIdentifier ?? 0 }
  var configPath: String { "\(scratch.path)/soteria.json" }
  var controlSocket: String { "\(runtime)/control.sock" }

  /// `state` is a directory elsewhere, a sick disk for one.
  init(state: String? = nil) throws {
    scratch = try Scratch()
    self.state = state ?? "\(scratch.path)/state"
    runtime = "\(scratch.path)/run"
    try Scratch.run("mkfifo", "\(scratch.path)/button")
    button = try checked(open("\(scratch.path)/button", O_RDWR | O_CLOEXEC | O_NONBLOCK), "fifo")
    notifySocket = try checked(
      socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(scratch.path)/notify".utf8) }
    _ = try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try checked(bind(notifySocket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)), "bind")
      }
    }
  }

  deinit {
    kill()
    close(notifySocket)
    close(button)
  }

  // MARK: configuration

  /// One contact per URL, each with a webhook of its own; no gpsd answers unless `gpsPort` is one.
  static func config(_ urls: [String], alert: String = "{}", gpsPort: Int = 1, button: Bool = true) -> String
  {
    let gateways = urls.indices.map { #""g\#($0)": { "type": "webhook", "url": "\#(urls[$0])" }"# }
    let contacts = urls.indices.map { #"{ "name": "C\#($0)", "routes": [ { "gateway": "g\#($0)" } ] }"# }
    return """
      { "wearer": { "name": "Ayu" }, "gps": { "host": "127.0.0.1", "port": \(gpsPort) },
        \(button ? #""button": { "line": "test" },"# : "") "alert": \(alert),
        "gateways": { \(gateways.joined(separator: ", ")) },
        "contacts": [ \(contacts.joined(separator: ", ")) ] }
      """
  }

  func configure(_ text: String) throws {
    try scratch.put(Array(text.utf8), "soteria.json")
    chmod(configPath, 0o600)
  }

  // MARK: the process

  private var options: [String] { ["--state-directory", state, "--runtime-directory", runtime] }

  /// Starts the daemon, by `wrapper` if there is one, and waits until it says that it is ready.
  func start(environment: [String: String] = [:], within wrapper: [String] = []) throws {
    try launch(environment: environment, within: wrapper)
    _ = try #require(notified("READY=1"), "not ready: \(log)")
  }

  func launch(environment: [String: String] = [:], within wrapper: [String] = []) throws {
    let process = Process()
    let script = #"exec 3<>"$1"; export LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=button; shift; exec "$@""#
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      ["-c", script, "bash", "\(scratch.path)/button"] + wrapper
      + [Program.path, "run", "--config", configPath] + options
    process.environment = Program.environment.merging(["NOTIFY_SOCKET": "\(scratch.path)/notify"]) { $1 }
      .merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    self.process = process
    output = pipe.fileHandleForReading
  }

  func signal(_ number: Int32) { Foundation.kill(pid, number) }

  /// The end of the power, as far as a process can tell.
  func kill() {
    guard let process else { return }
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    _ = ended()
  }

  /// Waits for the end; the exit status, or minus the signal.
  func ended() -> Int32? {
    guard let process else { return nil }
    process.waitUntilExit()
    while let output, TCPServer.isReadable(output.fileDescriptor), readOutput() {}
    self.process = nil
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// Asks the daemon by the program itself.
  func ask(_ arguments: String...) throws -> Program.Result { try Program.run(arguments + options) }

  func status() throws -> JSON {
    try #require(JSON(parsing: Array(try ask("status", "--json").output.utf8)))
  }

  /// Nobody reads what the daemon says any more.
  func stopListening() {
    try? output?.close()
    output = nil
  }

  // MARK: what it says

  /// Waits for a line of the log that holds `text`.
  func logged(_ text: String) -> Bool {
    while !log.contains(text) {
      guard let output, TCPServer.isReadable(output.fileDescriptor), readOutput() else { return false }
    }
    return true
  }

  private func readOutput() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    guard let output, case let count = read(output.fileDescriptor, &chunk, chunk.count), count > 0 else {
      return false
    }
    log += String(decoding: chunk.prefix(count), as: UTF8.self)
    return true
  }

  /// Waits for the next message to the service manager that holds `text`, and passes over others.
  func notified(_ text: String) -> String? {
    while true {
      while heeded < notifications.count {
        defer { heeded += 1 }
        if notifications[heeded].contains(text) { return notifications[heeded] }
      }
      guard TCPServer.isReadable(notifySocket) else { return nil }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(notifySocket, &chunk, chunk.count, 0)
      notifications.append(String(decoding: chunk.prefix(max(0, count)), as: UTF8.self))
    }
  }

  // MARK: the button

  /// A press of 200 ms that lies just behind us, with two bounces at each end.
  func press() throws {
    let start = Clocks.now - .milliseconds(300)
    for (offset, active) in [(0, true), (1, false), (2, true), (200, false), (201, true), (202, false)] {
      try edge(active, at: start + .milliseconds(offset))
    }
  }

  /// Half a record: no line says that.
  func breakLine() throws {
    _ = try checked(Int32(write(button, "half", 4)), "write")
  }

  func edge(_ active: Bool, at instant: BootTime) throws {
    edges += 1
    let record = DaemonBench.edgeRecord(active, at: instant, number: edges)
    _ = try checked(Int32(write(button, record, record.count)), "write")
  }

  /// The kernel's record of an edge. Source: linux/gpio.h, struct gpioevent_data and struct gpio_v2_line_event.
  static func edgeRecord(_ active: Bool, at instant: BootTime, number: UInt32 = 0) -> [UInt8] {
    let monotonic = UInt64(max(0, (instant - Clocks.suspended).nanoseconds))
    let words: [UInt32] = [active ? 1 : 2, 0]
    let more: [UInt32] = sot_line_abi() == 1 ? [] : [number, number, 0, 0, 0, 0, 0, 0]
    return withUnsafeBytes(of: monotonic) { Array($0) }
      + (words + more).flatMap { word in
        withUnsafeBytes(of: word) { Array($0) }
      }
  }
}
