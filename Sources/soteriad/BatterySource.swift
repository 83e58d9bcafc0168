import DaemonCore
import Glibc

/// The charge of the device's batteries.
///
/// A fuel gauge sits on a bus, and a bus can hang: each reading happens on a thread that nobody waits for, at most
/// one at a time. Source: Linux, Documentation/ABI/testing/sysfs-class-power.
final class BatterySource {
  private let reading: Errand<[Int]>
  private let directory: String

  init(directory: String = "/sys/class/power_supply") throws(SystemError) {
    reading = try Errand()
    self.directory = directory
  }

  /// Readable when a reading came to an end.
  var descriptor: Int32 { reading.descriptor }

  /// Begins a reading, unless one is under way or there is nothing to read.
  func read() {
    // The names alone are asked of no bus.
    let supplies = names
    guard !supplies.isEmpty else { return }
    reading.begin(stackSize: 128 * 1024, noThread: []) { supplies.compactMap(Self.charge) }
  }

  func finished() -> Event? {
    reading.take().map { .batteriesRead($0) }
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
}
