import CSystem
import Glibc

/// A result, on stdout. Blocks, and ends the program where it cannot be written: only for commands, never in the daemon.
func put(_ text: String) {
  guard !write(text, to: 1) else { return }
  exit(fail("cannot write the result: \(SystemError.words(errno))"))
}

/// A complaint, on stderr. Returns the exit status for "failed".
func fail(_ text: String) -> Int32 {
  _ = write("soteriad: \(text)", to: 2)
  return 1
}

/// What is opened takes the lowest number that is free: a log must never find a socket where stdout was closed.
func holdStandardDescriptors() {
  var descriptor: Int32
  repeat { descriptor = sot_open("/dev/null", O_RDWR, 0) } while (0...2).contains(descriptor)
  if descriptor > 2 { close(descriptor) }
}

/// Whether all of it was written; errno says why not.
private func write(_ text: String, to descriptor: Int32) -> Bool {
  let bytes = Array((text + "\n").utf8)
  var written = 0
  return bytes.withUnsafeBytes { buffer in
    while written < buffer.count {
      let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      written += count
    }
    return true
  }
}
