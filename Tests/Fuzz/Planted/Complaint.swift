// Covers: DaemonCore/Entropy.swift
// Found: Fatal error: bytes are known to be even
import DaemonCore

/// Something that must be so and is not.
func fuzz(_ bytes: [UInt8]) {
  require(bytes.allSatisfy { $0.isMultiple(of: 2) }, "bytes are known to be even")
}
