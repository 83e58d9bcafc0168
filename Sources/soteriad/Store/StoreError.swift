import CSQLite

/// A store that does not do what it was asked: what was tried, and why it failed.
struct StoreError: Error, CustomStringConvertible {
  enum Kind {
    /// The file holds no outbox, or a broken one: it has to be set aside.
    case damaged
    /// No room; what is there stays readable.
    case full
    /// Someone else holds it for the moment.
    case busy
    /// Anything else: the file has to be opened anew.
    case unusable
  }
  var kind: Kind
  var operation: String
  var reason: String

  init(_ kind: Kind, _ operation: String, _ reason: String) {
    self.kind = kind
    self.operation = operation
    self.reason = reason
  }

  /// Source: sqlite.org/rescode.html; `system` is `sqlite3_system_errno`.
  init(code: Int32, system: Int32, message: String, operation: String) {
    let why = system == 0 ? "" : ": \(SystemError.words(system))"
    self.init(Self.kind(code & 0xFF, system: system), operation, message + why)
  }

  init(_ error: SystemError) {
    self.init(.unusable, error.operation, error.reason)
  }

  private static func kind(_ code: Int32, system: Int32) -> Kind {
    switch code {
    // SQLITE_ERROR means that a table or column which this version always makes is not there.
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: .damaged
    case SQLITE_FULL: .full
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    default: system == SystemError.noSpace ? .full : .unusable
    }
  }

  var description: String { "\(operation): \(reason)" }
}
