import Glibc
import Testing

@testable import soteriad

/// A TCP server on loopback that a test drives by hand, from its own thread.
final class LoopbackServer {
  let listener: Int32
  let port: Int

  init() throws {
    listener = try checked(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), "socket")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = self.listener
    try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        _ = try checked(bind(listener, raw, size), "bind")
        _ = try checked(listen(listener, 8), "listen")
        _ = try checked(getsockname(listener, raw, &size), "getsockname")
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(listener) }

  /// The next connection; waits for it.
  func accept() throws -> Peer {
    try #require(isReadable(listener))
    return Peer(descriptor: try checked(Glibc.accept(listener, nil, nil), "accept"))
  }

  /// One accepted connection.
  final class Peer {
    let descriptor: Int32

    init(descriptor: Int32) {
      self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
      let bytes = Array(text.utf8)
      _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What the other side sent, at most 64 KiB; empty at its end.
    func receive() -> String {
      guard isReadable(descriptor) else { return "" }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Has `close` send a reset instead of an orderly end.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func resetWhenClosed() {
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
  }
}

/// Waits, at most 20 s, until there is something to read or the end.
func isReadable(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 20_000) == 1
}
