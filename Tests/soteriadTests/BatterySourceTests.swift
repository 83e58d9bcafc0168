import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

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
