/// Everything that happens in one simulated world, from outside the daemon. What follows from it (latencies,
/// jitter) comes from the seed.
package struct Script: Hashable, Sendable {
  package var seed: UInt64
  package var setup: Setup
  /// How long the world does as `deeds` say; then everything works again, to see that nothing stays undone.
  package var hours: Int
  package var deeds: [Deed]

  package init(seed: UInt64, setup: Setup, hours: Int, deeds: [Deed]) {
    self.seed = seed
    self.setup = setup
    self.hours = hours
    self.deeds = deeds
  }
}

/// A configuration, in short.
package struct Setup: Hashable, Sendable {
  package var people: [Person]
  /// Milliseconds a press must last, and how many presses make an alert.
  package var hold = 0
  package var presses = 1
  /// Seconds.
  package var window = 0
  package var openFor = 1800
  /// Whether the position is sent every minute while an alert is open.
  package var updates = false
  /// Hours.
  package var expire = 168
  /// Whether a geocoder is asked, which answers as it likes, and a list of places, which may not.
  package var addresses = false

  package init(
    people: [Person], hold: Int = 0, presses: Int = 1, window: Int = 0, openFor: Int = 1800,
    updates: Bool = false, expire: Int = 168, addresses: Bool = false
  ) {
    self.people = people
    self.hold = hold
    self.presses = presses
    self.window = window
    self.openFor = openFor
    self.updates = updates
    self.expire = expire
    self.addresses = addresses
  }
}

/// A contact; `routes` are names of `Service`s, best first, with blanks between.
package struct Person: Hashable, Sendable {
  package var id: String
  package var routes: String

  package init(id: String, routes: String) {
    self.id = id
    self.routes = routes
  }
}

/// Something that happens at a time, in milliseconds since the world began.
package struct Deed: Hashable, Sendable {
  package var at: Int
  package var what: What

  package init(at: Int, _ what: What) {
    self.at = at
    self.what = what
  }

  var isWearers: Bool {
    switch what {
    case .press, .command, .cancel: true
    default: false
    }
  }

  /// Spans in milliseconds where nothing else is said.
  package enum What: Hashable, Sendable {
    /// The button goes down, chatters `bounces` times, and up again after `held`.
    case press(held: Int, bounces: Int)
    /// A disturbance of the line, in microseconds.
    case spike(width: Int)
    /// The line floods with spikes for that long.
    case flood(lasting: Int)
    case command(drill: Bool)
    case cancel
    case askHistory

    case service(Service, Weather)
    /// No packet leaves or comes.
    case network(up: Bool)
    /// Names resolve.
    case names(resolve: Bool)
    case gpsd(Gpsd)
    case receiver(Receiver)
    case disk(Disk.Health)
    /// Seconds; positive is into the future.
    case clockStep(by: Int)
    case reload(Setup)
    /// SIGHUP with a file that has errors.
    case breakFile
    /// kill -9, after so many more actions of the daemon; the service manager starts it again.
    case crash(afterActions: Int, back: Int)
    /// systemctl restart.
    case restart
    /// The power goes after so many more actions, and comes again.
    case powerCut(afterActions: Int, back: Int)
    /// The loop gets no time: swapped out, or the processor is busy.
    case stall(lasting: Int)
    /// The chip's device goes away or comes back.
    case chip(present: Bool)
  }
}

package enum Gpsd: Hashable, Sendable, CaseIterable {
  case running, dead
  /// Takes connections and says nothing.
  case hanging
  case rubbish
}

package enum Receiver: Hashable, Sendable, CaseIterable {
  case standing, walking, noFix, nullIsland
}
