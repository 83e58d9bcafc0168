import DaemonCore

/// What the rules see of the world and of the daemon, in order.
enum Sight {
  /// The button was down from one time to the other, chatter included.
  case finger(down: Int64, up: Int64)
  /// Until then nobody can say what the line does.
  case doubt(until: Int64)
  /// The daemon runs; `boot` counts the boots.
  case started(boot: Int)
  case ended
  case lineOpened
  case lineClosed
  /// The daemon heard something and said what to do.
  case handled(Event, [Action], [Row])
  /// The daemon has read what the disk held.
  case loaded([Row])
  /// When it wants to be woken, after it was woken.
  case planned(BootTime?)
  case sent(Letter)
  /// A service has the message.
  case taken(Letter)
  /// The daemon hears the answer.
  case answered(Letter, Answer)
  /// The daemon is about to hear that messages which the service took were not delivered.
  case disowned(Service)
  /// That is on the medium now.
  case synced([StoreWrite])
  case asked(StatusSight)
  /// Everything works from now on, and this is the configuration.
  case healed
  /// The world ends: nothing may be undone.
  case over
}

/// What the daemon says of itself, and what is true.
struct StatusSight {
  var status: JSON
  var isLineWatched: Bool
  var isFileInForce: Bool
  /// Whether the contact has been closed for longer than any bounce.
  var isHeldLong: Bool
}

/// Where and when the rules look from. Instants in nanoseconds since the world began.
struct Scene {
  var now: Int64 = 0
  /// On the daemon's clock.
  var boot = BootTime.zero
  /// For how long the device was on.
  var uptime: Int64 = 0
  /// The same at the beginning of the present boot.
  var uptimeBefore: Int64 { uptime - boot.nanoseconds }
  /// By boot, for how long the device had been on when it began.
  var uptimeAtBoot: [String: Int64] = [:]
  /// The configuration that the daemon last took.
  var setup: Setup
  var script: Script
  /// Until when the loop got no time.
  var stalledUntil: Int64 = 0
  /// Whether the daemon's end cut off the rest of what it had to say.
  var isCutOff = false
  /// What the disk holds, or the runtime directory while the disk is known to be useless.
  var disk = Disk()
}

/// One promise, checked at every step. Returns what breaks it.
protocol Rule {
  static var name: String { get }
  mutating func see(_ sight: Sight, _ scene: Scene) -> String?
}

/// What was found to be broken, and when.
package struct Violation: Hashable, Sendable {
  package var rule: String
  package var complaint: String
  package var at: Int64

  /// `1d 02:03:04.005` since the world began.
  package var moment: String { at.clock }
}

extension Int64 {
  /// `1d 02:03:04.005`
  var clock: String {
    let milliseconds = Int(self / 1_000_000)
    let seconds = milliseconds / 1000
    return "\(seconds / 86_400)d \(padded(seconds / 3600 % 24, to: 2)):\(padded(seconds / 60 % 60, to: 2)):"
      + "\(padded(seconds % 60, to: 2)).\(padded(milliseconds % 1000, to: 3))"
  }
}

/// Milliseconds in nanoseconds.
func ms(_ milliseconds: Int) -> Int64 { Int64(milliseconds) * 1_000_000 }
/// Seconds in nanoseconds.
func s(_ seconds: Int) -> Int64 { ms(seconds * 1000) }
