/// Something in the configuration that its owner should know: where, what, and what to do.
package struct ConfigProblem: Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable {
    case error, warning
  }
  package var severity: Severity
  package var position: TextPosition
  /// The path of the key, `contacts[0].routes[1].to`; empty for the file as a whole.
  package var key: String
  /// What is wrong and the remedy. Never a secret.
  package var text: String

  package init(_ severity: Severity, at position: TextPosition, key: String, _ text: String) {
    self.severity = severity
    self.position = position
    // A key is the owner's text: a line break in it must not make two lines of one problem.
    self.key = key.onOneLine
    self.text = text.onOneLine
  }

  /// `FILE:LINE:COLUMN: error: KEY: what and remedy`. Source: CONTRACT, `check`.
  package func line(file: String) -> String {
    // Scripts cut the line at its colons: a problem without a key has something in its place.
    let subject = key.isEmpty ? "(file)" : key
    return "\(file):\(position.line):\(position.column): \(severity.rawValue): \(subject): \(text)"
  }

  /// The file cannot be read at all.
  package static func unreadable(_ reason: String) -> ConfigProblem {
    ConfigProblem(.error, at: TextPosition(line: 1, column: 1), key: "", reason)
  }
}

/// A secret that stands elsewhere.
package enum SecretReference: Hashable, Sendable {
  /// Of `$CREDENTIALS_DIRECTORY`. Source: systemd.exec(5), LoadCredential=.
  case credential(String)
  case file(String)
}

/// What became of reading one.
package enum SecretLookup: Hashable, Sendable {
  case value(String)
  case failed(String)
  /// It cannot be read from here, which says nothing about the service.
  case hidden(String)
}

/// A configuration as decoded.
package struct ConfigResult: Sendable {
  /// nil when there is any error.
  package var config: Config?
  /// Errors and warnings in the order of the text.
  package var problems: [ConfigProblem]
  /// Every reference seen, to be looked up for a second decoding.
  package var references: [SecretReference]

  package init(config: Config?, problems: [ConfigProblem], references: [SecretReference]) {
    self.config = config
    self.problems = problems
    self.references = references
  }
}
