// Covers: DaemonCore/Entropy.swift
// Found: Fatal error: one input takes more processor time
// Patience: 2
import DaemonCore

/// A loop that never ends.
func fuzz(_ bytes: [UInt8]) {
  var entropy = Entropy(high: 1, low: 1)
  while bytes.count > 2, entropy.fraction() < 2 {}
}
