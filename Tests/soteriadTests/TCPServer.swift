import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// A TCP server on loopback; each connection is served on a thread of its own.
final class TCPServer: @unchecked Sendable {
  let port: Int
  private let listener: Int32
  private let lock = NSLock()
  private var accepted = 0

  /// How many connections there were.
  var connections: Int { lock.withLock { accepted } }

  /// `serve` gets the connection and its number, from 1; nil leaves connections to the kernel, unanswered.
  init(_ serve: (@Sendable (Int32, Int) -> Void)?) throws {
    let listener = try checked(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), "socket")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        _ = try checked(bind(listener, raw, size), "bind")
        _ = try checked(listen(listener, 128), "listen")
        _ = try checked(getsockname(listener, raw, &size), "getsockname")
      }
    }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    guard let serve else { return }
    Foundation.Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        let number = self?.lock.withLock {
          self?.accepted += 1
          return self?.accepted
        }
        guard let number = number ?? nil else {
          _ = close(connection)
          return
        }
        Foundation.Thread.detachNewThread {
          serve(connection, number)
          close(connection)
        }
      }
    }
  }

  deinit {
    // Wakes the thread in accept(2).
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Waits until there is something to read or the end. The limit only ends a test that has failed.
  static func isReadable(_ descriptor: Int32, milliseconds: Int32 = 30_000) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// All bytes, however long the other side takes; false when it has gone.
  @discardableResult
  static func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress.map { $0 + sent }, $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Has `close` send a reset instead of an orderly end.
  static func resetWhenClosed(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}
