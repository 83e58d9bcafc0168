import CGpiod
import CSystem
import DaemonCore
import Glibc

/// The button's line: requested through libgpiod, or taken over from the run before. Both are read alike, as
/// the kernel's own event records.
final class ButtonSource {
  /// Where the descriptor comes from, and who closes it.
  private enum Line {
    case none
    /// libgpiod's: released with the line.
    case requested(OpaquePointer)
    /// From the service manager's store: ours to close.
    case adopted(Int32)
  }

  /// The most edges that one reading takes; the kernel queues 16 with the old interface.
  private static let batch = 16
  /// A line that floods is not read for longer than this many batches at a time.
  private static let batches = 64

  private var line = Line.none
  private var lastSequence: UInt32?
  private var node: DeviceNode?
  /// Whether the descriptor could tell the level when it became ours; a pipe cannot.
  private var hadLevel = false

  var descriptor: Int32? {
    switch line {
    case .none: nil
    case .requested(let line): sot_line_descriptor(line)
    case .adopted(let descriptor): descriptor
    }
  }

  deinit { close() }

  /// The name under which the line's descriptor is kept over restarts; another configuration, another name.
  static func storedName(for settings: ButtonSettings) -> String {
    var hash: UInt32 = 0x811C_9DC5
    // Source: Fowler, Noll, Vo, FNV-1a of 32 bits.
    for byte in settings.lineIdentity.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return "button-v\(sot_line_abi())-\(String(hash, radix: 16))"
  }

  func open(_ settings: ButtonSettings) -> Result<ButtonLink, ButtonOpenError> {
    close()
    var report = sot_line_report()
    let (name, offset): (String?, UInt32) =
      switch settings.line {
      case .name(let name): (name, 0)
      case .offset(let offset): (nil, UInt32(clamping: offset))
      }
    let opened = sot_line_open(
      settings.chip, name, offset, settings.activeLow, settings.bias.native, &report)
    guard let opened else { return .failure(ButtonOpenError(failure: ButtonFailure(report, settings))) }
    line = .requested(opened)
    lastSequence = nil
    node = DeviceNode(path: text(report.path))
    let pressed = level
    hadLevel = pressed != nil
    return .success(
      ButtonLink(description: text(report.description), pressed: pressed, adopted: false))
  }

  /// Takes over a descriptor that an earlier run left with the service manager. nil when its chip has gone since:
  /// nothing would ever be heard of it again.
  func adopt(_ descriptor: Int32, _ settings: ButtonSettings) -> ButtonLink? {
    close()
    _ = sot_set_nonblocking(descriptor)
    line = .adopted(descriptor)
    lastSequence = nil
    errno = 0
    let pressed = level
    if pressed == nil, errno == ENODEV {
      close()
      return nil
    }
    hadLevel = pressed != nil
    return ButtonLink(
      description: "\(settings.chip.map { "\($0), " } ?? "")line \(settings.lineText)", pressed: pressed,
      adopted: true)
  }

  /// Whether the chip's device node has gone or become another's since the line was opened.
  var isGone: Bool {
    // An adopted descriptor has no known path, but its level cannot be asked once the chip is unbound.
    if hadLevel, level == nil { return true }
    guard let node else { return false }
    return DeviceNode(path: node.path) != node
  }

  func close() {
    node = nil
    hadLevel = false
    switch line {
    case .none: break
    case .requested(let opened): sot_line_close(opened)
    case .adopted(let descriptor): _ = Glibc.close(descriptor)
    }
    line = .none
  }

  /// What the line did since, and its level after that; nil when nothing happened.
  func drain() -> Event? {
    guard let descriptor else { return nil }
    var records = [sot_edge](repeating: sot_edge(), count: Self.batch)
    var edges: [Edge] = []
    var lost = false
    for _ in 0..<Self.batches {
      let count = sot_edges_read(descriptor, &records, records.count)
      if count < 0 {
        if edges.isEmpty { return .buttonVanished }
        break
      }
      if count == 0 { break }
      let suspended = Clocks.suspended
      let now = Clocks.now
      for record in records.prefix(Int(count)) {
        if record.sequence != 0 {
          if let last = lastSequence, record.sequence != last &+ 1 { lost = true }
          lastSequence = record.sequence
        }
        let instant = BootTime(nanoseconds: Int64(clamping: record.timestamp_ns)) + suspended
        edges.append(Edge(pressed: record.active, at: min(instant, now), afterLoss: lost))
        lost = false
      }
      // Without numbers a queue that was full may have dropped what came next; with them the oldest go, and tell.
      lost = count == Self.batch && records[0].sequence == 0
    }
    if edges.isEmpty { return nil }
    return .edges(edges, level: level, lost: lost)
  }

  private var level: Bool? {
    guard let descriptor else { return nil }
    let level = sot_level_read(descriptor)
    return level < 0 ? nil : level == 1
  }
}

/// A device node as it was found: another one under the same path is another device.
private struct DeviceNode: Equatable {
  let path: String
  let device: UInt64
  let inode: UInt64

  init?(path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else { return nil }
    self.path = path
    device = UInt64(info.st_rdev)
    inode = UInt64(info.st_ino)
  }
}

struct ButtonOpenError: Error {
  var failure: ButtonFailure
}

extension ButtonSettings {
  /// What makes it this line and no other, for the store's name.
  fileprivate var lineIdentity: String {
    "\(chip ?? "")|\(lineText)|\(activeLow)|\(bias.rawValue)"
  }

  fileprivate var lineText: String {
    switch line {
    case .name(let name): name
    case .offset(let offset): "\(offset)"
    }
  }
}

extension Bias {
  fileprivate var native: sot_bias {
    switch self {
    case .asIs: SOT_BIAS_AS_IS
    case .disabled: SOT_BIAS_DISABLED
    case .pullUp: SOT_BIAS_PULL_UP
    case .pullDown: SOT_BIAS_PULL_DOWN
    }
  }
}

extension ButtonFailure {
  fileprivate init(_ report: sot_line_report, _ settings: ButtonSettings) {
    let line = settings.lineText
    let detail = text(report.detail)
    switch report.result {
    case SOT_LINE_NO_CHIP:
      let present = text(report.chips)
      self = .chipMissing(
        wanted: settings.chip ?? "with line \(line)", present: present.isEmpty ? [] : [present])
    case SOT_LINE_NO_LINE: self = .lineMissing(wanted: line, detail: detail)
    case SOT_LINE_BUSY: self = .busy(line: line, consumer: detail)
    default: self = .failed(line: line, reason: detail)
    }
  }
}

/// The text in a fixed array of C's, up to its zero.
private func text<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
}
