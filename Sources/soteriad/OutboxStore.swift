import CSystem
import DaemonCore
import Glibc
import Synchronization

/// The thread that owns the disk: jobs in, events out by an eventfd. An SD card that stalls for seconds, or
/// for ever, stalls nobody else.
final class OutboxStore {
  /// Readable when events wait.
  let descriptor: Int32
  private let shared: Shared

  init(stateDirectory: String, runtimeDirectory: String) throws(SystemError) {
    descriptor = try checked(sot_event_create(), "cannot make an eventfd")
    let wake = try checked(sot_event_create(), "cannot make an eventfd")
    shared = Shared(
      stateDirectory: stateDirectory, runtimeDirectory: runtimeDirectory, wake: wake, told: descriptor)
  }

  /// Opens and reads on the thread; `storeLoaded` follows whatever happens, unless the disk stalls.
  func start() {
    let shared = self.shared
    if !Thread.detach(stackSize: 512 * 1024, { StoreThread(shared).run() }) {
      shared.tell([
        .storeLoaded(StoredState()), .storeDurability(problem: "there is no thread for the store"),
      ])
    }
  }

  func enqueue(batch: Int, _ writes: [StoreWrite]) { shared.post(.batch(batch, writes)) }
  func readHistory(_ client: ClientID, alertID: String?) { shared.post(.history(client, alertID)) }
  func keepConfig(_ kept: KeptConfig, text: String) { shared.post(.config(kept, text)) }

  func drain() -> [Event] {
    sot_counter_drain(descriptor)
    return shared.takeEvents()
  }

  /// Lets the thread finish what it has, for at most `limit`. False when it did not.
  func stop(within limit: Duration) -> Bool {
    shared.post(.stop)
    let deadline = Clocks.now + limit
    while true {
      if shared.isStopped { return true }
      let left = deadline - Clocks.now
      guard left > .zero else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, Int32(clamping: left.wholeNanoseconds / 1_000_000 + 1))
      sot_counter_drain(descriptor)
    }
  }

  enum Job: Sendable {
    case batch(Int, [StoreWrite])
    case history(ClientID, String?)
    case config(KeptConfig, String)
    case stop
  }

  /// What both threads touch.
  final class Shared: Sendable {
    private struct State {
      var jobs: [Job] = []
      var events: [Event] = []
      var isStopped = false
    }

    let stateDirectory: String
    let runtimeDirectory: String
    let wake: Int32
    private let told: Int32
    private let state = Mutex(State())

    init(stateDirectory: String, runtimeDirectory: String, wake: Int32, told: Int32) {
      self.stateDirectory = stateDirectory
      self.runtimeDirectory = runtimeDirectory
      self.wake = wake
      self.told = told
    }

    func post(_ job: Job) {
      state.withLock { $0.jobs.append(job) }
      sot_event_signal(wake)
    }

    func takeJobs() -> [Job] {
      state.withLock { state in
        defer { state.jobs = [] }
        return state.jobs
      }
    }

    func tell(_ events: [Event]) {
      guard !events.isEmpty else { return }
      state.withLock { $0.events += events }
      sot_event_signal(told)
    }

    func takeEvents() -> [Event] {
      state.withLock { state in
        defer { state.events = [] }
        return state.events
      }
    }

    func stopped() {
      state.withLock { $0.isStopped = true }
      sot_event_signal(told)
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }
  }
}
