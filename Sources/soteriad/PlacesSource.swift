import CSystem
import DaemonCore
import Glibc

/// The list of places on the disk.
///
/// A card can stall for seconds, and a dying one for ever: each search happens on a thread that nobody waits for, at
/// most one at a time. Nothing of the list stays in memory.
final class PlacesSource {
  private struct Search: Sendable {
    var number: Int
    var spot: Spot
    var file: String
  }

  private struct Found: Sendable {
    var number: Int
    var result: Result<NearestPlace?, PlacesFile.Fault>
  }

  /// A disk that hangs gets no longer a queue than this.
  private static let limit = 4

  private let searching: Errand<Found>
  private var waiting: [Search] = []

  init() throws(SystemError) {
    searching = try Errand()
  }

  /// Readable when a search came to an end.
  var descriptor: Int32 { searching.descriptor }

  /// Begins a search, or leaves it until those before it are over. Returns the result where it is known at once.
  func search(_ number: Int, _ spot: Spot, in file: String) -> [Event] {
    guard waiting.count < Self.limit else { return [.placeFound(search: number, .failure(.unreadable))] }
    waiting.append(Search(number: number, spot: spot, file: file))
    beginNext()
    return []
  }

  func finished() -> Event? {
    let found = searching.take()
    beginNext()
    return found.map { .placeFound(search: $0.number, $0.result) }
  }

  private func beginNext() {
    guard searching.isIdle, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    let noThread = Found(number: next.number, result: .failure(.unreadable))
    searching.begin(stackSize: 256 * 1024, noThread: noThread) {
      Found(number: next.number, result: Self.nearest(to: next.spot, in: next.file))
    }
  }

  /// May block for as long as the disk does.
  static func nearest(to spot: Spot, in path: String) -> Result<NearestPlace?, PlacesFile.Fault> {
    let descriptor = sot_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return .failure(.unreadable) }
    defer { close(descriptor) }
    do throws(PlacesFile.Fault) {
      return .success(try PlacesFile { read(descriptor, at: $0, count: $1) }.nearest(to: spot))
    } catch {
      return .failure(error)
    }
  }

  /// nil for an error; fewer bytes where the file ends.
  private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        // Safe: it has room for `count` bytes, of which `filled` are taken.
        pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled))
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 { return Array(bytes.prefix(filled)) }
      filled += got
    }
    return bytes
  }
}
