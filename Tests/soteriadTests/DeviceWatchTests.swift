import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

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
