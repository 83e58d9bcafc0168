// Covers: DaemonCore/Entropy.swift
// Found: Fatal error|deadly signal
import DaemonCore

/// An index that is out of bounds.
func fuzz(_ bytes: [UInt8]) {
  if bytes.first == UInt8(ascii: "t") { _ = bytes[Int(bytes.last ?? 0)] }
}
