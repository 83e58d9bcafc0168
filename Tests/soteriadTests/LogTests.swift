import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct LogTests {
  private final class Reader {
    var log: Log
    private let ends: [Int32]

    init() throws {
      var ends: [Int32] = [0, 0]
      _ = try checked(pipe(&ends), "pipe")
      self.ends = ends
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      log = Log(descriptor: ends[1])
    }

    deinit { for end in ends { close(end) } }

    func text() -> String {
      var all: [UInt8] = []
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while case let count = read(ends[0], &bytes, bytes.count), count > 0 { all += bytes.prefix(count) }
      return String(decoding: all, as: UTF8.self)
    }
  }

  @Test func writesALineWithTheTimeAndLeavesDebugOut() throws {
    let reader = try Reader()

    reader.log.write(LogLine(.debug, "positions"))
    reader.log.write(LogLine(.info, "two\nlines\u{1B}[2J"))
    #expect(reader.text().isEmpty)
    reader.log.flush()

    let text = reader.text()
    #expect(text.hasSuffix(" two lines [2J\n"))
    #expect(text.split(separator: "\n").count == 1)
    #expect(Int(text.prefix(2)) != nil)
  }

  @Test func dropsWhatNobodyReadsAndSaysHowMuch() throws {
    let reader = try Reader()
    let line = LogLine(.warning, String(repeating: "x", count: 1000))
    for _ in 0..<200 { reader.log.write(line) }
    reader.log.flush()
    let kept = reader.text().split(separator: "\n").count

    reader.log.write(LogLine(.notice, "after"))
    reader.log.flush()

    let lines = reader.text().split(separator: "\n")
    #expect(kept < 200)
    #expect(lines.first?.contains("\(200 - kept) lines were dropped") == true, "\(lines.first ?? "")")
    #expect(lines.last?.hasSuffix("after") == true)
  }
}
