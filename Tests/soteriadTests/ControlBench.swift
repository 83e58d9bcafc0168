import DaemonCore
import Foundation

@testable import soteriad

/// A control socket and the passes of its loop, counted.
final class ControlBench {
  let scratch: Scratch
  let socket: ControlSocket
  private(set) var passes = 0

  var path: String { scratch.path + "/control.sock" }

  init() throws {
    scratch = try Scratch()
    socket = try ControlSocket(path: scratch.path + "/control.sock")
  }

  /// One pass: serves whatever is ready now.
  @discardableResult
  func pass(waiting milliseconds: Int32 = 0) -> [Event] {
    passes += 1
    var entries = self.entries
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return [] }
    return entries.filter { $0.revents != 0 }.flatMap { socket.ready($0.fd) }
  }

  private var entries: [pollfd] {
    socket.descriptors.map { descriptor, wantsWrite in
      pollfd(fd: descriptor, events: Int16(wantsWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
    }
  }

  /// Passes until nothing is ready any more.
  func settle() -> [Event] {
    var events: [Event] = []
    while true {
      var entries = self.entries
      guard poll(&entries, nfds_t(entries.count), 0) > 0 else { return events }
      events += pass()
    }
  }

  /// Runs the program and answers whatever it asks with `lines`.
  func answer(_ arguments: [String], with lines: [String], closing: Bool = true) throws -> Program.Result {
    let finished = LockedResult()
    let directory = scratch.path
    Thread.detachNewThread {
      finished.set(
        Result {
          try Program.run(arguments + ["--runtime-directory", directory, "--state-directory", directory])
        })
    }
    while true {
      if let result = finished.get() { return try result.get() }
      for case .commanded(let client, _) in pass(waiting: 50) {
        for (index, line) in lines.enumerated() {
          socket.reply(client, line, last: closing && index == lines.count - 1)
        }
      }
    }
  }

  private final class LockedResult: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Result<Program.Result, any Error>?

    func set(_ result: Result<Program.Result, any Error>) { lock.withLock { value = result } }
    func get() -> Result<Program.Result, any Error>? { lock.withLock { value } }
  }
}

extension ControlSocket {
  /// The listener's first, then the clients'.
  var descriptors: [(fd: Int32, wantsWrite: Bool)] {
    var all: [(fd: Int32, wantsWrite: Bool)] = []
    forEachDescriptor { all.append(($0, $1)) }
    return all
  }
}

/// A client that does as a test tells it.
final class TestClient {
  let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Scratch.Failure(text: "cannot connect to \(path): errno \(errno)") }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// How many bytes were taken.
  @discardableResult
  func say(_ text: String) -> Int { send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

  /// What has come, and whether the other end hung up.
  func heard() -> (text: String, isOver: Bool) {
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      if count > 0 {
        text += String(decoding: chunk.prefix(count), as: UTF8.self)
      } else {
        return (text, count == 0 || errno == ECONNRESET)
      }
    }
  }
}
