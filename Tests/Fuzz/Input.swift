import DaemonCore
import Glibc

/// libFuzzer calls this with one input after the other. A target is a file in `Targets` with `func fuzz(_: [UInt8])`,
/// and a line `// Covers: PATH` for each file of `Sources` that it is to reach; it is linked with the files here.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  limitProcessorTime()
  fuzz(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// A hang is told by the processor's time: on the wall a busy machine takes any time for anything. `FUZZ_PATIENCE` is
/// in seconds.
private func limitProcessorTime() {
  guard patience > 0 else { return }
  var limit = itimerval(it_interval: timeval(), it_value: timeval(tv_sec: patience, tv_usec: 0))
  setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
}

private let patience: Int = {
  signal(SIGPROF) { _ in
    let words = "Fatal error: one input takes more processor time than any should\n"
    write(2, words, words.utf8.count)
    abort()
  }
  return getenv("FUZZ_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 20
}()

/// Unlike `precondition` it says why, optimised too.
func require(_ condition: Bool, _ complaint: @autoclosure () -> String) {
  if !condition { fatalError(complaint()) }
}

/// Stands in every secret: nothing that people see may hold it.
let secretMark = "S3CRETmark"

/// Decisions and texts from the fuzzer's bytes; behind their end everything is zero.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[byte() % choices.count] }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Up to the next `end`, which is dropped.
  mutating func bytes(upTo end: UInt8) -> [UInt8] {
    let part = rest.prefix { $0 != end }
    rest = rest.dropFirst(part.count + 1)
    return Array(part)
  }

  mutating func text(upTo end: UInt8) -> String { String(decoding: bytes(upTo: end), as: UTF8.self) }

  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  /// Nanoseconds, seconds, hours: whatever lies between two events.
  mutating func span() -> Duration {
    let number = byte()
    switch number & 7 {
    case 0: return .zero
    case 1: return .microseconds(number)
    case 2: return .milliseconds(number >> 3)
    case 3: return .milliseconds(number)
    case 4: return .milliseconds(number * 20)
    case 5: return .seconds(number >> 3)
    case 6: return .seconds(number * 10)
    default: return .seconds(number * 1000)
    }
  }
}
