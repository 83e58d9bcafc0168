import CSystem

/// Something that may take for ever, done on a thread that nobody waits for, at most one at a time. Its result comes
/// through an eventfd.
final class Errand<Result: Sendable>: Sendable {
  /// Readable when a result is there to be taken.
  let descriptor: Int32

  private enum State: Sendable {
    case idle, underWay
    case done(Result)
  }

  /// Apart from the rest, because a thread may outlive whoever waits for it.
  private final class Mailbox: Sendable {
    let state = Locked(State.idle)
  }

  private let mailbox = Mailbox()

  init() throws(SystemError) {
    descriptor = try checked(sot_event_create(), "cannot make an eventfd")
  }

  /// Whether nothing is under way, and every result was taken.
  var isIdle: Bool {
    mailbox.state.withLock { if case .idle = $0 { true } else { false } }
  }

  /// Begins, unless another one is under way. `noThread` is the result where there is no thread to be had.
  func begin(stackSize: Int, noThread: Result, _ work: @escaping @Sendable () -> Result) {
    let isFirst = mailbox.state.withLock { state in
      guard case .idle = state else { return false }
      state = .underWay
      return true
    }
    guard isFirst else { return }
    let (mailbox, descriptor) = (mailbox, descriptor)
    let finish = { @Sendable (result: Result) in
      mailbox.state.withLock { $0 = .done(result) }
      sot_event_signal(descriptor)
    }
    if !Thread.detach(stackSize: stackSize, { finish(work()) }) { finish(noThread) }
  }

  /// The result, once; nil while there is none.
  func take() -> Result? {
    sot_counter_drain(descriptor)
    return mailbox.state.withLock { state in
      guard case .done(let result) = state else { return nil }
      state = .idle
      return result
    }
  }
}
