// Covers: DaemonCore/Entropy.swift
// Found: libFuzzer: out-of-memory
import DaemonCore

/// Memory without a bound.
func fuzz(_ bytes: [UInt8]) {
  var hoard: [[UInt8]] = []
  while bytes.count > 2 {
    hoard.append([UInt8](repeating: UInt8(truncatingIfNeeded: hoard.count), count: 1 << 24))
  }
}
