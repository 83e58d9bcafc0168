/// The configuration in force and how it came to be.
struct Configuration: Sendable {
  enum Source: String, Hashable, Sendable {
    /// What the file says.
    case file
    /// An earlier one: the file is broken or absent.
    case lastGood = "last-good"
  }

  var config: Shared<Config>
  var text: String
  var source: Source
  /// Why the file is not in force, `check`'s lines; empty with `.file`.
  var problems: [String]
  var warnings: [String]
  /// Whether the file was changed since it was read: what is in force is then not what it says.
  var isOutdated = false
  /// Since when it has run with its line requested, or without a button; nil while the line is not ours.
  var runningSince: BootTime?
  var isProven = false
}
