import CGpiod
import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// A pipe stands for the line: what is written into it is read as the kernel's events.
@Suite struct ButtonSourceTests {
  private final class Line {
    let source = ButtonSource()
    private var writer: Int32
    private var sequence: UInt32 = 0
    let link: ButtonLink

    init() throws {
      var ends: [Int32] = [0, 0]
      _ = try checked(pipe(&ends), "pipe")
      writer = ends[1]
      link = try #require(source.adopt(ends[0], ButtonSettings(line: .offset(17))))
    }

    deinit { end() }

    func edge(_ pressed: Bool, at instant: Int64, skipping: UInt32 = 0) {
      sequence += 1 + skipping
      write(Self.record(pressed: pressed, at: instant, sequence: sequence))
    }

    func write(_ bytes: [UInt8]) { _ = Glibc.write(writer, bytes, bytes.count) }

    /// Whether nobody can read what is written any more.
    var isReaderGone: Bool {
      var entry = pollfd(fd: writer, events: Int16(POLLOUT), revents: 0)
      return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLERR) != 0
    }

    func end() {
      if writer >= 0 { close(writer) }
      writer = -1
    }

    /// Source: linux/gpio.h, gpioevent_data and gpio_v2_line_event: 16 and 48 bytes, the id behind the time.
    static func record(pressed: Bool, at instant: Int64, sequence: UInt32) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: sot_line_abi() == 1 ? 16 : 48)
      bytes.withUnsafeMutableBytes { buffer in
        buffer.storeBytes(of: instant, toByteOffset: 0, as: Int64.self)
        buffer.storeBytes(of: pressed ? 1 : 2, toByteOffset: 8, as: UInt32.self)
        if sot_line_abi() == 2 {
          buffer.storeBytes(of: sequence, toByteOffset: 16, as: UInt32.self)
          buffer.storeBytes(of: sequence, toByteOffset: 20, as: UInt32.self)
        }
      }
      return bytes
    }
  }

  /// What one reading gave; nil for anything but edges.
  private struct Reading {
    let edges: [Edge]
    let level: Bool?
    let lost: Bool

    init?(_ event: Event?) {
      guard case .edges(let edges, let level, let lost)? = event else { return nil }
      (self.edges, self.level, self.lost) = (edges, level, lost)
    }
  }

  private func hasVanished(_ event: Event?) -> Bool {
    if case .buttonVanished? = event { return true }
    return false
  }

  @Test func readsAllEdgesInTheirOrderOnTheBootClock() throws {
    let line = try Line()
    let start = sot_monotonic_ns() - 1_000_000_000
    line.edge(true, at: start)
    line.edge(false, at: start + 2_000_000)

    let reading = try #require(Reading(line.source.drain()))

    #expect(reading.edges.map(\.pressed) == [true, false])
    #expect(reading.edges[1].at - reading.edges[0].at == .milliseconds(2))
    let age = Clocks.now - reading.edges[0].at
    #expect(age >= .seconds(1) && age < .seconds(60))
    #expect(reading.level == nil && !reading.lost)
  }

  @Test func readsWhatTheEarlierRunLeft() throws {
    let line = try Line()

    #expect(line.link.adopted)
    #expect(line.link.pressed == nil)
    #expect(line.link.description.contains("line 17"))
  }

  @Test func saysNothingWhenNothingHappened() throws {
    let line = try Line()

    #expect(Reading(line.source.drain()) == nil)
    #expect(!hasVanished(line.source.drain()))
    #expect(!line.source.isGone)
  }

  @Test func tellsThatABurstMayHaveLostEdges() throws {
    let line = try Line()
    for number in 0..<40 { line.edge(number % 2 == 0, at: Int64(number) * 100_000) }

    let reading = try #require(Reading(line.source.drain()))

    // Where edges are numbered nothing is missing; elsewhere a full queue may have dropped some.
    let doubtful = sot_line_abi() == 1 ? [16, 32] : []
    #expect(reading.edges.count == 40)
    #expect(reading.edges.indices.filter { reading.edges[$0].isAfterLoss } == doubtful)
    #expect(!reading.lost)
  }

  @Test func tellsThatAFullQueueMayHaveLostTheNewestEdges() throws {
    let line = try Line()
    for number in 0..<16 { line.edge(number % 2 == 0, at: Int64(number) * 100_000) }

    let reading = try #require(Reading(line.source.drain()))

    #expect(reading.lost == (sot_line_abi() == 1))
  }

  @Test func datesNoEdgeInTheFuture() throws {
    let line = try Line()
    line.edge(true, at: .max)
    line.edge(false, at: sot_monotonic_ns() + 3_600_000_000_000)

    let reading = try #require(Reading(line.source.drain()))

    #expect(reading.edges.allSatisfy { $0.at <= Clocks.now })
  }

  @Test func vanishesWithTheDescriptor() throws {
    let line = try Line()
    line.edge(true, at: 1)
    line.end()

    #expect(Reading(line.source.drain())?.edges.count == 1)
    #expect(hasVanished(line.source.drain()))
  }

  @Test func takesPartOfARecordForNoLine() throws {
    let line = try Line()
    line.write([1, 2, 3])

    #expect(hasVanished(line.source.drain()))
  }

  @Test func closesWhatItAdopted() throws {
    let line = try Line()
    #expect(!line.isReaderGone)

    line.source.close()

    #expect(line.source.descriptor == nil)
    #expect(line.isReaderGone)
    #expect(Reading(line.source.drain()) == nil)
  }

  @Test func namesEachConfigurationOfTheLineDifferently() {
    var variants = [ButtonSettings(line: .offset(17)), ButtonSettings(line: .offset(18))]
    variants.append(ButtonSettings(line: .name("GPIO17")))
    for change: (inout ButtonSettings) -> Void in [
      { $0.chip = "pinctrl" }, { $0.activeLow = false }, { $0.bias = .disabled },
    ] {
      var settings = ButtonSettings(line: .offset(17))
      change(&settings)
      variants.append(settings)
    }

    let names = variants.map(ButtonSource.storedName)

    #expect(Set(names).count == variants.count)
    #expect(names.allSatisfy { $0.hasPrefix("button-v\(sot_line_abi())-") })
  }

  @Test func keepsTheDescriptorWhenOnlyTheGestureChanges() {
    let settings = ButtonSettings(line: .offset(17))
    var other = settings
    other.presses = 3
    other.hold = .seconds(1)
    other.debounce = .milliseconds(5)

    #expect(ButtonSource.storedName(for: settings) == ButtonSource.storedName(for: other))
  }

  @Test func namesTheChipThatIsMissing() {
    var settings = ButtonSettings(line: .name("GPIO17"))
    settings.chip = "pinctrl-of-no-machine"

    guard case .failure(let error) = ButtonSource().open(settings),
      case .chipMissing(wanted: "pinctrl-of-no-machine", _) = error.failure
    else {
      Issue.record("opened, or failed otherwise")
      return
    }
  }
}
