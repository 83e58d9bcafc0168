import CSystem
import Glibc

/// A system call that failed: what was tried, on what, and the system's reason.
struct SystemError: Error, CustomStringConvertible {
  var operation: String
  var code: Int32

  /// Takes errno as it stands, so it is made on the line after the call.
  init(_ operation: String) {
    self.operation = operation
    code = sot_errno()
  }

  static let noSpace = ENOSPC

  /// What the system says about that errno.
  static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

  var reason: String { Self.words(code) }
  var description: String { "\(operation): \(reason)" }
}

/// `descriptor`, or the error where it is none.
func checked(_ descriptor: Int32, _ operation: @autoclosure () -> String) throws(SystemError) -> Int32 {
  if descriptor < 0 { throw SystemError(operation()) }
  return descriptor
}
