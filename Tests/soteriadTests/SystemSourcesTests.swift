import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct SignalSourceTests {
  @Test func turnsSignalsIntoRequests() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    // Programs that other tests start from this thread would inherit what the source blocks.
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let source = try SignalSource()
    // To this thread alone: the test runner's others have them unblocked.
    for signal in [SIGHUP, SIGTERM, SIGINT] { pthread_kill(pthread_self(), signal) }

    let requests = source.drain()

    #expect(Set(requests) == [.reload, .stop])
    #expect(requests.count == 3)
    #expect(source.drain().isEmpty)
    close(source.descriptor)
  }

  @Test func livesThroughABrokenPipe() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let source = try SignalSource()
    var ends: [Int32] = [0, 0]
    _ = try checked(pipe(&ends), "pipe")
    close(ends[0])

    #expect(write(ends[1], "x", 1) == -1)
    close(ends[1])
    close(source.descriptor)
  }
}

@Suite struct DeviceWatchTests {
  @Test func noticesChipsThatComeAndGo() throws {
    let scratch = try Scratch()
    let watch = try #require(DeviceWatch(directory: scratch.path))
    #expect(!watch.drain())

    try scratch.put([], "gpiochip7")
    #expect(watch.drain())
    chmod("\(scratch.path)/gpiochip7", 0o660)
    #expect(watch.drain())
    unlink("\(scratch.path)/gpiochip7")
    #expect(watch.drain())
    close(watch.descriptor)
  }

  @Test func leavesOtherDevicesAlone() throws {
    let scratch = try Scratch()
    let watch = try #require(DeviceWatch(directory: scratch.path))

    try scratch.put([], "ttyUSB0")

    #expect(!watch.drain())
    close(watch.descriptor)
  }
}

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

@Suite struct LogTests {
  private final class Reader {
    var log: Log
    private let ends: [Int32]

    init() throws {
      var ends: [Int32] = [0, 0]
      _ = try checked(pipe(&ends), "pipe")
      self.ends = ends
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      log = Log(descriptor: ends[1])
    }

    deinit { for end in ends { close(end) } }

    func text() -> String {
      var all: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(ends[0], &bytes, bytes.count), count > 0 { all += bytes.prefix(count) }
      return String(decoding: all, as: UTF8.self)
    }
  }

  @Test func writesALineWithTheTimeAndLeavesDebugOut() throws {
    let reader = try Reader()

    reader.log.write(LogLine(.debug, "positions"))
    reader.log.write(LogLine(.info, "two\nlines\u{1B}[2J"))
    #expect(reader.text().isEmpty)
    reader.log.flush()

    let text = reader.text()
    #expect(text.hasSuffix(" two lines [2J\n"))
    #expect(text.split(separator: "\n").count == 1)
    #expect(Int(text.prefix(2)) != nil)
  }

  @Test func dropsWhatNobodyReadsAndSaysHowMuch() throws {
    let reader = try Reader()
    let line = LogLine(.warning, String(repeating: "x", count: 1000))
    for _ in 0..<200 { reader.log.write(line) }
    reader.log.flush()
    let kept = reader.text().split(separator: "\n").count

    reader.log.write(LogLine(.notice, "after"))
    reader.log.flush()

    let lines = reader.text().split(separator: "\n")
    #expect(kept < 200)
    #expect(lines.first?.contains("\(200 - kept) lines were dropped") == true, "\(lines.first ?? "")")
    #expect(lines.last?.hasSuffix("after") == true)
  }
}

@Suite struct BatterySourceTests {
  /// A tree like the kernel's: one directory a supply.
  private static func tree(_ supplies: [String: [String: String]]) throws -> Scratch {
    let scratch = try Scratch()
    for (name, attributes) in supplies {
      mkdir("\(scratch.path)/\(name)", 0o755)
      for (attribute, value) in attributes {
        try scratch.put(Array("\(value)\n".utf8), "\(name)/\(attribute)")
      }
    }
    return scratch
  }

  private static func charges(_ source: BatterySource) -> [Int]? {
    source.read()
    guard TCPServer.isReadable(source.descriptor), case .batteriesRead(let charges)? = source.finished()
    else {
      return nil
    }
    return charges
  }

  @Test func readsTheBatteriesOfTheDeviceAlone() throws {
    let scratch = try Self.tree([
      "ups": ["type": "Battery", "capacity": "73"],
      "mouse": ["type": "Battery", "scope": "Device", "capacity": "5"],
      "usb": ["type": "Mains", "online": "1"],
      "mute": ["type": "Battery"],
    ])
    let source = try BatterySource(directory: scratch.path)

    #expect(Self.charges(source) == [73])
    try scratch.put(Array("72\n".utf8), "ups/capacity")
    #expect(Self.charges(source) == [72])
  }

  @Test func withoutSuppliesNothingIsStarted() throws {
    let scratch = try Scratch()
    let source = try BatterySource(directory: scratch.path)
    source.read()
    let missing = try BatterySource(directory: "\(scratch.path)/none")
    missing.read()

    #expect(source.finished() == nil)
    #expect(missing.finished() == nil)
  }
}

@Suite struct PlacesSourceTests {
  private static let list = Program.source("places/places")
  private static let bogor = Spot(latitude: -6.5801, longitude: 106.8039)

  /// The results by their numbers, once there are as many.
  private static func results(
    _ source: PlacesSource, _ count: Int
  ) -> [Int: Result<NearestPlace?, PlacesFile.Fault>] {
    var results: [Int: Result<NearestPlace?, PlacesFile.Fault>] = [:]
    while results.count < count, TCPServer.isReadable(source.descriptor) {
      if case .placeFound(let number, let result)? = source.finished() { results[number] = result }
    }
    return results
  }

  @Test func findsWhatIsOnTheDisk() throws {
    let source = try PlacesSource()
    #expect(source.search(1, Self.bogor, in: Self.list).isEmpty)

    let place = try #require(try Self.results(source, 1)[1]?.get())
    #expect(place.name == "Bogor" && place.region == "West Java" && place.country[.english] == "Indonesia")
    #expect(source.finished() == nil)
  }

  @Test func whateverIsNoListIsAFaultAndNoEnd() throws {
    let scratch = try Scratch()
    try scratch.put(Array("{}".utf8), "short")
    try scratch.put([UInt8](repeating: 0x53, count: 100_000), "long")
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: Self.list)))
    try scratch.put(Array(whole.prefix(400_000)), "cut")
    var broken = whole
    for index in stride(from: 752, to: broken.count, by: 4096) { broken[index] ^= 1 }
    try scratch.put(broken, "broken")
    mkdir("\(scratch.path)/folder", 0o755)
    #expect(mkfifo("\(scratch.path)/pipe", 0o600) == 0)
    let source = try PlacesSource()

    for (name, fault) in [
      ("absent", PlacesFile.Fault.unreadable), ("short", .foreign), ("long", .foreign), ("cut", .damaged),
      ("broken", .damaged), ("folder", .unreadable), ("pipe", .unreadable),
    ] {
      _ = source.search(1, Self.bogor, in: "\(scratch.path)/\(name)")
      #expect(Self.results(source, 1)[1] == .failure(fault), "\(name)")
    }
    _ = source.search(2, Self.bogor, in: Self.list)
    #expect(Self.results(source, 1)[2].map { (try? $0.get())?.name } == "Bogor")
  }

  @Test func everySearchIsAnsweredHoweverManyThereAre() throws {
    let source = try PlacesSource()
    var refused = 0
    for number in 1...50 { refused += source.search(number, Self.bogor, in: Self.list).count }

    #expect(Self.results(source, 50 - refused).count == 50 - refused)
    #expect(refused > 0, "the queue has an end")
  }
}
