// Covers: DaemonCore/Entropy.swift
// Found: lines of DaemonCore/Entropy.swift: under 80 %
import DaemonCore

/// Reaches little of what it names.
func fuzz(_ bytes: [UInt8]) {
  _ = Entropy(high: UInt64(bytes.count), low: 1)
}
