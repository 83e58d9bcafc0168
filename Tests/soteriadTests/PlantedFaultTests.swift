import Foundation
import Testing

@testable import soteriad

/// Faults made on purpose, one at a time: `./test --sanitize` fails unless each is reported. Nothing else runs them.
@Suite struct PlantedFaultTests {
  private static func isPlanted(_ fault: String) -> Bool {
    ProcessInfo.processInfo.environment["SOTERIAD_PLANT"] == fault
  }

  @Test(.enabled(if: isPlanted("overflow"), "a fault for the address sanitizer"))
  func writesBehindABlock() {
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
    defer { block.deallocate() }
    block[8] = 1
  }

  @Test(.enabled(if: isPlanted("leak"), "a fault for the leak sanitizer"))
  func losesMemory() {
    // Many, for one or the other pointer may still stand on a stack.
    for _ in 0..<100 { UnsafeMutablePointer<UInt8>.allocate(capacity: 8).initialize(to: 1) }
  }

  @Test(.enabled(if: isPlanted("race"), "a fault for the thread sanitizer"))
  func countsWithTwoThreads() throws {
    let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    counter.initialize(to: 0)
    nonisolated(unsafe) let shared = counter
    let done = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      let started = soteriad.Thread.detach(stackSize: 256 * 1024) {
        shared.pointee += 1
        done.signal()
      }
      try #require(started)
    }
    for _ in 0..<2 { done.wait() }
  }
}
