// Covers: DaemonCore/Entropy.swift
// Found: AddressSanitizer: heap-use-after-free
import DaemonCore

/// A read of memory that was given back.
func fuzz(_ bytes: [UInt8]) {
  guard bytes.first == UInt8(ascii: "m") else { return }
  let place = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
  place.initialize(repeating: 1, count: 16)
  place.deallocate()
  require(place[3] == 1, "\(place[3])")
}
