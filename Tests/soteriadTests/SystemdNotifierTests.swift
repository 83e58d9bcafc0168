import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct SystemdNotifierTests {
  /// A service manager's socket; what it gets.
  private final class Manager {
    let scratch: Scratch
    let descriptor: Int32
    let address: String

    init(abstract: Bool = false) throws {
      scratch = try Scratch()
      address = abstract ? "@soteriad-test-\(UUID().uuidString)" : "\(scratch.path)/notify"
      descriptor = try checked(socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0), "socket")
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      let bytes = abstract ? [0] + Array(address.utf8.dropFirst()) : Array(address.utf8)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
      let size = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (abstract ? 0 : 1))
      let descriptor = self.descriptor
      _ = try withUnsafePointer(to: &name) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          try checked(bind(descriptor, $0, size), "bind")
        }
      }
    }

    deinit { close(descriptor) }

    func next() -> String? {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The device and inode of a descriptor that came with the next message.
    func nextDescriptor() -> (text: String, inode: UInt64)? {
      var bytes = [UInt8](repeating: 0, count: 4096)
      var control = [UInt64](repeating: 0, count: 8)
      return bytes.withUnsafeMutableBytes { buffer in
        control.withUnsafeMutableBytes { space in
          var part = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
          return withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr()
            message.msg_iov = part
            message.msg_iovlen = 1
            message.msg_control = space.baseAddress
            message.msg_controllen = space.count
            let count = recvmsg(descriptor, &message, Int32(MSG_DONTWAIT))
            guard count > 0, message.msg_controllen > 0 else { return nil }
            // Behind the header: the length, the level and the type. Source: cmsg(3).
            let passed = space.load(fromByteOffset: MemoryLayout<cmsghdr>.size, as: Int32.self)
            var info = stat()
            fstat(passed, &info)
            close(passed)
            return (String(decoding: buffer.prefix(count), as: UTF8.self), UInt64(info.st_ino))
          }
        }
      }
    }
  }

  @Test(arguments: [false, true]) func tellsTheManager(abstract: Bool) throws {
    let manager = try Manager(abstract: abstract)
    let notifier = SystemdNotifier { $0 == "NOTIFY_SOCKET" ? manager.address : nil }

    for notification: DaemonCore.Notification in [
      .ready(status: "armed"), .status("x"), .stopping, .watchdog,
    ] {
      notifier.send(notification)
    }
    notifier.send(.reloading)

    #expect(manager.next() == "READY=1\nSTATUS=armed")
    #expect(manager.next() == "STATUS=x")
    #expect(manager.next() == "STOPPING=1")
    #expect(manager.next() == "WATCHDOG=1")
    #expect(manager.next()?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
  }

  @Test func handsADescriptorOverAndTakesItBack() throws {
    let manager = try Manager()
    let notifier = SystemdNotifier { $0 == "NOTIFY_SOCKET" ? manager.address : nil }
    var ends: [Int32] = [0, 0]
    _ = try checked(pipe(&ends), "pipe")
    var info = stat()
    fstat(ends[0], &info)

    notifier.keep(ends[0], named: "button-v1-0")
    notifier.forget(named: "button-v1-0")

    let kept = try #require(manager.nextDescriptor())
    #expect(kept.text == "FDSTORE=1\nFDNAME=button-v1-0")
    #expect(kept.inode == UInt64(info.st_ino))
    #expect(manager.next() == "FDSTOREREMOVE=1\nFDNAME=button-v1-0")
    close(ends[0])
    close(ends[1])
  }

  @Test(arguments: [nil, "", "relative", "/nowhere/notify", "@nobody", String(repeating: "/x", count: 200)])
  func bearsAManagerThatIsNotThere(address: String?) {
    let notifier = SystemdNotifier { $0 == "NOTIFY_SOCKET" ? address : nil }

    notifier.send(.ready(status: "armed"))
  }

  @Test func neverWaitsForAManagerThatDoesNotRead() throws {
    let manager = try Manager()
    let notifier = SystemdNotifier { $0 == "NOTIFY_SOCKET" ? manager.address : nil }

    for _ in 0..<10_000 { notifier.send(.watchdog) }

    #expect(manager.next() == "WATCHDOG=1")
  }

  static let watchdogs: [([String: String], Duration?)] = [
    (["WATCHDOG_USEC": "10000000"], .seconds(5)),
    (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "\(getpid())"], .seconds(5)),
    (["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"], nil),
    (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-5"], nil),
    ([:], nil),
  ]

  @Test(arguments: watchdogs)
  func pingsTwiceAsOftenAsAsked(variables: [String: String], interval: Duration?) {
    #expect(SystemdNotifier { variables[$0] }.pingInterval == interval)
  }
}
