import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct NetworkWatchTests {
  private static var canUnshare: Bool { geteuid() == 0 }

  /// unshare(2) with CLONE_NEWNET, which Swift's Glibc has not.
  private static func unshareNetwork() -> Int32 {
    guard let symbol = dlsym(nil, "unshare") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)(0x4000_0000)
  }

  /// Foundation's Process needs the very loopback that is down here.
  private static func ip(_ words: String) -> Bool {
    let all = ["ip"] + words.split(separator: " ").map(String.init)
    var arguments: [UnsafeMutablePointer<CChar>?] = all.map { (word: String) in strdup(word) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    var status: Int32 = -1
    return posix_spawnp(&process, "ip", nil, nil, &arguments, environ) == 0
      && waitpid(process, &status, 0) == process && status == 0
  }

  /// The kernel tells of a carrier when it finds the time: waits until both ends of the cable say the same. The
  /// question is answered behind whatever was told before. False after a minute.
  private static func settles() -> Bool {
    let end = Date(timeIntervalSinceNow: 60)
    while Date() < end {
      var first: UnsafeMutablePointer<ifaddrs>?
      guard getifaddrs(&first) == 0 else { return false }
      defer { freeifaddrs(first) }
      let links = sequence(first: first, next: { $0?.pointee.ifa_next }).compactMap { $0?.pointee }
        .filter { $0.ifa_addr?.pointee.sa_family == sa_family_t(AF_PACKET) }
      let ends = links.filter { String(cString: $0.ifa_name) != "lo" }
      let isWhole = ends.allSatisfy { $0.ifa_flags & UInt32(IFF_UP) != 0 }
      if ends.allSatisfy({ ($0.ifa_flags & UInt32(IFF_RUNNING) != 0) == isWhole }) { return true }
      sched_yield()
    }
    return false
  }

  /// What was noticed after each command, in a network where nothing was before; nil where it failed.
  private static func noticed(_ commands: [String]) -> [Bool?] {
    final class Findings: @unchecked Sendable { var seen: [Bool?] = [] }
    let findings = Findings()
    let done = DispatchSemaphore(value: 0)
    // A thread of its own, for its network goes with it.
    Foundation.Thread.detachNewThread {
      defer { done.signal() }
      guard unshareNetwork() == 0, var watch = NetworkWatch() else { return }
      findings.seen = commands.map { ip($0) && settles() ? watch.drain() : nil }
      close(watch.descriptor)
    }
    done.wait()
    return findings.seen
  }

  @Test(.enabled(if: canUnshare, "a network of the test's own takes root"))
  func noticesWhatComesUpAndNothingThatGoes() {
    let seen = Self.noticed([
      "link set lo up", "link set lo down", "link add d0 type veth peer name d1", "link set d0 up",
      "link set d1 up", "addr add 10.9.0.2/24 dev d0", "route add default via 10.9.0.1",
      "route del default", "addr del 10.9.0.2/24 dev d0", "link set d1 down",
    ])

    #expect(seen == [true, false, false, false, true, true, true, false, false, false])
  }

  @Test(.enabled(if: canUnshare, "a network of the test's own takes root"))
  func doesNotNoticeAgainWhatIsThereAlready() {
    let seen = Self.noticed([
      "link add d0 type veth peer name d1", "link set d0 up", "link set d1 up", "link set d0 mtu 1400",
      "addr add 10.9.0.2/24 dev d0", "addr change 10.9.0.2/24 dev d0 valid_lft 600 preferred_lft 600",
    ])

    #expect(seen == [false, false, true, false, true, false])
  }

  @Test(.enabled(if: canUnshare, "a network of the test's own takes root"))
  func noticesAgainWhatWasGone() {
    let seen = Self.noticed([
      "link add d0 type veth peer name d1", "addr add 10.9.0.2/24 dev d0", "link set d1 up",
      "link set d0 up", "route add default via 10.9.0.1", "link set d0 down", "link set d0 up",
      "route add default via 10.9.0.1",
    ])

    #expect(seen.suffix(4) == [true, false, true, true])
  }
}
