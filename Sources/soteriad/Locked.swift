import Glibc

/// A value that threads share.
///
/// The lock is pthread's: the thread sanitizer knows it, but does not hear of it when the kernel hands over a lock of
/// Swift's own `Mutex`, and takes that for a race. Source: FUTEX_LOCK_PI in futex(2).
final class Locked<Value: Sendable>: @unchecked Sendable {
  // Safe: nobody else sees either of them, and the value is touched only while the lock is held.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}
