/// Everything that can happen to the daemon. The shell reports, the Engine decides.
package enum Event: Sendable {
  /// The wall clock, read at the start of a pass of the loop.
  case clockRead(WallTime)
  /// The timer that was set to `Engine.nextDeadline` fired, or the loop woke for any other reason.
  case deadline
  /// The configuration file was read, at start or for SIGHUP.
  case configRead(ConfigReading)
  /// The configuration file was written, replaced or removed: its text now, nil where it cannot be read.
  case configFileChanged(text: String?)

  /// What the line did since the last report, oldest first, and the level read after that; nil where the
  /// descriptor cannot tell (a pipe). `lost` is true when the queue was full, so that the line may have done more in between.
  case edges([Edge], level: Bool?, lost: Bool)
  /// The line is ours.
  case buttonOpened(ButtonLink)
  /// It could not be requested. Tried again for ever.
  case buttonFailed(ButtonFailure)
  /// The line's descriptor broke or the chip's device node went away.
  case buttonVanished
  /// Something was added to or removed from the GPIO devices.
  case devicesChanged

  case gpsOpened(generation: Int)
  case gpsReported(GpsReport)
  /// Lines that were no gpsd JSON.
  case gpsRubbish
  /// Opening failed, or the session ended.
  case gpsLost(generation: Int, reason: String)

  case storeLoaded(StoredState)
  /// A batch is on disk.
  case stored(batch: Int)
  /// A batch is not on disk. It stays with the store, which goes on trying; `stored` may yet follow.
  case storeFailed(batch: Int, reason: String)
  /// Whether what is stored survives a power cut; a reason where it does not (tmpfs, a copy in memory).
  case storeDurability(problem: String?)
  case historyRead(ClientID, alerts: [String], deliveries: [String])

  /// The charge of each battery that tells one, in percent.
  case batteriesRead([Int])

  /// What a search of the list of places found; nil where the list is empty.
  case placeFound(search: Int, Result<NearestPlace?, PlacesFile.Fault>)

  case responded(ExchangeID, Result<Response, TransportFailure>)
  /// A link or address came up.
  case networkChanged
  /// The wall clock was set. The new reading comes as `clockRead`.
  case clockStepped

  case commanded(ClientID, Command)
  case clientGone(ClientID)
  /// SIGTERM or SIGINT.
  case stopRequested
  /// A fault in the shell that the status must show (a spinning descriptor, a socket that cannot be bound);
  /// nil takes that fault back.
  case shellFault(name: String, problem: String?)
}

/// A connection to the control socket. Never used twice.
package struct ClientID: Hashable, Sendable {
  package var number: Int
  package init(number: Int) { self.number = number }
}

/// One HTTP transfer. Never used twice within a run.
package struct ExchangeID: Hashable, Sendable {
  package var number: Int
  package init(number: Int) { self.number = number }
}

/// A configuration as found.
package indirect enum ConfigReading: Sendable {
  /// What the file says, and the warnings it raised. `text` is the file, secrets unresolved.
  case good(Config, text: String, warnings: [String])
  /// The file is broken or absent: `problems` are `check`'s lines. At start `fallback` is the last good one.
  case broken(problems: [String], fallback: Fallback?)

  package struct Fallback: Sendable {
    package var config: Config
    package var text: String
    package init(config: Config, text: String) {
      self.config = config
      self.text = text
    }
  }
}

/// A line that is being watched.
package struct ButtonLink: Hashable, Sendable {
  /// `gpiochip0 (pinctrl-bcm2711), line 17 (GPIO17)`.
  package var description: String
  /// The level after the request, nil where it cannot be read.
  package var pressed: Bool?
  /// The descriptor came from the previous run, so its queue holds what happened meanwhile.
  package var adopted: Bool
  /// This boot's previous run saw the button released at this time; nil when nothing tells.
  package var lastSeenReleased: BootTime?

  package init(description: String, pressed: Bool?, adopted: Bool, lastSeenReleased: BootTime? = nil) {
    self.description = description
    self.pressed = pressed
    self.adopted = adopted
    self.lastSeenReleased = lastSeenReleased
  }
}

package enum ButtonFailure: Hashable, Sendable {
  /// No such chip; `present` lists those there are.
  case chipMissing(wanted: String, present: [String])
  /// No such line, or its name is on several chips.
  case lineMissing(wanted: String, detail: String)
  case busy(line: String, consumer: String)
  /// Anything else, in the system's words.
  case failed(line: String, reason: String)
}

/// What a user asks through the control socket.
package enum Command: Hashable, Sendable {
  case status
  /// `wait`: how long the caller stays for every contact to have at least accepted it; nil answers at once.
  case press(drill: Bool, wait: Duration?)
  case cancel
  case testButton(for: Duration)
  /// nil lists all.
  case alerts(id: String?)
}
