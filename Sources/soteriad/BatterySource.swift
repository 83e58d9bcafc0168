import CSystem
import DaemonCore
import Glibc
import Synchronization

/// The charge of the device's batteries.
///
/// A fuel gauge sits on a bus, and a bus can hang: each reading happens on a thread that nobody waits for, at most
/// one at a time. Source: Linux, Documentation/ABI/testing/sysfs-class-power.
final class BatterySource {
  /// Readable when a reading came to an end.
  let descriptor: Int32
  private let mailbox: Mailbox
  private let directory: String

  init(directory: String = "/sys/class/power_supply") throws(SystemError) {
    descriptor = try checked(sot_event_create(), "cannot make an eventfd")
    mailbox = Mailbox(signal: descriptor)
    self.directory = directory
  }

  /// Begins a reading, unless one is under way or there is nothing to read.
  func read() {
    // The names alone are asked of no bus.
    let supplies = names
    guard !supplies.isEmpty, mailbox.begin() else { return }
    let mailbox = self.mailbox
    let started = Thread.detach(stackSize: 128 * 1024) { mailbox.finish(supplies.compactMap(Self.charge)) }
    if !started { mailbox.finish([]) }
  }

  func finished() -> Event? {
    sot_counter_drain(descriptor)
    return mailbox.take().map { .batteriesRead($0) }
  }

  /// The paths of what supplies power.
  private var names: [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append("\(directory)/\(name)") }
    }
    return names
  }

  /// In percent; nil for what is no battery of this device (a mouse's has the scope `Device`) or does not tell.
  private static func charge(_ supply: String) -> Int? {
    func attribute(_ name: String) -> String? {
      SmallFile.read("\(supply)/\(name)", limit: 256).map { bytes in
        String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
      }
    }
    guard attribute("type") == "Battery", attribute("scope") != "Device" else { return nil }
    return attribute("capacity").flatMap { Int($0) }
  }

  /// Where a reading is left. It outlives whoever waits for it.
  private final class Mailbox: Sendable {
    private enum State: Sendable {
      case idle, reading
      case read([Int])
    }

    private let signal: Int32
    private let state = Mutex(State.idle)

    init(signal: Int32) {
      self.signal = signal
    }

    /// Whether a reading may begin: none is under way.
    func begin() -> Bool {
      state.withLock { state in
        guard case .idle = state else { return false }
        state = .reading
        return true
      }
    }

    func finish(_ charges: [Int]) {
      state.withLock { $0 = .read(charges) }
      sot_event_signal(signal)
    }

    func take() -> [Int]? {
      state.withLock { state in
        guard case .read(let charges) = state else { return nil }
        state = .idle
        return charges
      }
    }
  }
}
