import DaemonCore
import Foundation

@testable import soteriad

/// A stand-in for a gateway: takes requests over HTTP, answers as a test tells it, and remembers all.
final class Phone: @unchecked Sendable {
  enum Answer: Sendable {
    case status(Int, body: String = "")
    /// Takes the request and never answers.
    case silence
    /// Takes the head of the request and resets the connection.
    case reset
  }

  struct Received: Sendable {
    var head: String
    var body: [UInt8]

    var json: JSON? { JSON(parsing: body) }
    var text: String { json?["text"]?.string ?? "" }
    var alert: String { json?["alert"]?.string ?? "" }
    var kind: String { json?["kind"]?.string ?? "" }

    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name):") }
        .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
  }

  private let condition = NSCondition()
  private var all: [Received] = []
  private var answer: @Sendable (Int) -> Answer
  private var server: TCPServer?

  var url: String { "http://127.0.0.1:\(server?.port ?? 0)/hook" }
  var received: [Received] { condition.withLock { all } }

  /// `answer` gets the request's number, from 1.
  init(_ answer: @escaping @Sendable (Int) -> Answer = { _ in .status(200) }) throws {
    self.answer = answer
    server = try TCPServer { [weak self] connection, _ in
      while let answer = self?.take(from: connection), Phone.give(answer, to: connection) {}
    }
  }

  func answer(with answer: Answer) {
    let always: @Sendable (Int) -> Answer = { _ in answer }
    condition.withLock { self.answer = always }
  }

  /// The first `count` requests; fewer where they do not come at all.
  func wait(for count: Int) -> [Received] {
    let limit = Date(timeIntervalSinceNow: 60)
    return condition.withLock {
      while all.count < count, condition.wait(until: limit) {}
      return all
    }
  }

  /// Waits for a request of which `holds` is true.
  func first(where holds: (Received) -> Bool) -> Received? {
    let limit = Date(timeIntervalSinceNow: 60)
    return condition.withLock {
      while true {
        if let found = all.first(where: holds) { return found }
        guard condition.wait(until: limit) else { return nil }
      }
    }
  }

  /// Reads one request; nil at the connection's end.
  private func take(from connection: Int32) -> Answer? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    func more() -> Bool {
      let count = recv(connection, &chunk, chunk.count, 0)
      if count > 0 { bytes += chunk.prefix(count) }
      return count > 0
    }
    var end: Int?
    while end == nil {
      end = bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == Array("\r\n\r\n".utf8) }
      if end == nil, !more() { return nil }
    }
    guard let end else { return nil }
    var request = Received(head: String(decoding: bytes[..<end], as: UTF8.self), body: [])
    let answer = condition.withLock { self.answer(all.count + 1) }
    if case .reset = answer {
      TCPServer.resetWhenClosed(connection)
    } else {
      let length = request.header("content-length").flatMap { Int($0) } ?? 0
      while bytes.count < end + 4 + length { guard more() else { return nil } }
      request.body = Array(bytes[(end + 4)...].prefix(length))
    }
    condition.withLock {
      all.append(request)
      condition.broadcast()
    }
    return answer
  }

  /// Whether the connection goes on.
  private static func give(_ answer: Answer, to connection: Int32) -> Bool {
    switch answer {
    case .status(let status, let body):
      let head =
        "HTTP/1.1 \(status) X\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
      return TCPServer.sendAll(Array("\(head)\r\n\r\n\(body)".utf8), to: connection)
    case .silence:
      // Until the other side gives up.
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      return false
    case .reset:
      return false
    }
  }
}
