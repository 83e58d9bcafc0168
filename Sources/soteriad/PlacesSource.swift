import CSystem
import DaemonCore
import Glibc
import Synchronization

/// The list of places on the disk.
///
/// A card can stall for seconds, and a dying one for ever: each search happens on a thread that nobody waits for, at
/// most one at a time. Nothing of the list stays in memory.
final class PlacesSource {
  /// Readable when a search came to an end.
  let descriptor: Int32
  private let mailbox: Mailbox

  init() throws(SystemError) {
    descriptor = try checked(sot_event_create(), "cannot make an eventfd")
    mailbox = Mailbox(signal: descriptor)
  }

  /// Begins a search, or leaves it until the one under way is over.
  func search(_ number: Int, _ spot: Spot, in file: String) {
    guard let search = mailbox.begin(Search(number: number, spot: spot, file: file)) else { return }
    let mailbox = self.mailbox
    let started = Thread.detach(stackSize: 256 * 1024) {
      var next: Search? = search
      while let search = next {
        next = mailbox.finish(search, Self.nearest(to: search.spot, in: search.file))
      }
    }
    if !started { _ = mailbox.finish(search, .failure(.unreadable)) }
  }

  func finished() -> [Event] {
    sot_counter_drain(descriptor)
    return mailbox.take().map { .placeFound(search: $0.number, $0.result) }
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
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        // Safe: the buffer has room for `count` bytes, of which `filled` are taken.
        let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failed = true }
        if got <= 0 { return }
        filled += got
      }
    }
    return failed ? nil : bytes
  }

  private struct Search: Sendable {
    var number: Int
    var spot: Spot
    var file: String
  }

  /// Where searches wait and results are left. It outlives whoever waits for it.
  private final class Mailbox: Sendable {
    private struct State: Sendable {
      var isSearching = false
      var waiting: [Search] = []
      var found: [(number: Int, result: Result<NearestPlace?, PlacesFile.Fault>)] = []
    }

    /// A disk that hangs gets no longer a queue than this.
    private static let limit = 4
    private let signal: Int32
    private let state = Mutex(State())

    init(signal: Int32) {
      self.signal = signal
    }

    /// The search, if it may begin now.
    func begin(_ search: Search) -> Search? {
      let isRefused = state.withLock { state -> Bool? in
        guard state.isSearching else {
          state.isSearching = true
          return nil
        }
        guard state.waiting.count < Self.limit else {
          state.found.append((search.number, .failure(.unreadable)))
          return true
        }
        state.waiting.append(search)
        return false
      }
      guard let isRefused else { return search }
      if isRefused { sot_event_signal(signal) }
      return nil
    }

    /// Leaves a result and returns the next search.
    func finish(_ search: Search, _ result: Result<NearestPlace?, PlacesFile.Fault>) -> Search? {
      defer { sot_event_signal(signal) }
      return state.withLock { state in
        state.found.append((search.number, result))
        if !state.waiting.isEmpty { return state.waiting.removeFirst() }
        state.isSearching = false
        return nil
      }
    }

    func take() -> [(number: Int, result: Result<NearestPlace?, PlacesFile.Fault>)] {
      state.withLock { state in
        defer { state.found = [] }
        return state.found
      }
    }
  }
}
