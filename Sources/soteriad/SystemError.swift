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

  var reason: String { String(cString: strerror(code)) }
  var description: String { "\(operation): \(reason)" }
}

/// `descriptor`, or the error where it is none.
func checked(_ descriptor: Int32, _ operation: @autoclosure () -> String) throws(SystemError) -> Int32 {
  if descriptor < 0 { throw SystemError(operation()) }
  return descriptor
}
