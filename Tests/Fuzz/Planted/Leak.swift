// Covers: DaemonCore/Entropy.swift
// Found: LeakSanitizer: detected memory leaks
import DaemonCore

private final class Thing {
  var bytes: [UInt8] = []
}

/// An object that nobody lets go.
func fuzz(_ bytes: [UInt8]) {
  guard bytes.count > 2 else { return }
  let thing = Thing()
  thing.bytes = bytes
  _ = Unmanaged.passRetained(thing)
}
