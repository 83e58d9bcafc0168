import Glibc

/// A result, on stdout. Blocks: only for commands, never in the daemon.
func put(_ text: String) {
  write(text, to: 1)
}

/// A complaint, on stderr. Returns the exit status for "failed".
func fail(_ text: String) -> Int32 {
  write("soteriad: \(text)", to: 2)
  return 1
}

private func write(_ text: String, to descriptor: Int32) {
  let bytes = Array((text + "\n").utf8)
  var written = 0
  bytes.withUnsafeBytes { buffer in
    while written < buffer.count {
      let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return }
      written += count
    }
  }
}
