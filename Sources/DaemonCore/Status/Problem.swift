/// Something that is wrong, worst first: what it is, and what to do about it.
package enum Problem: Hashable, Sendable {
  case buttonUnavailable(ButtonFailure)
  case noButton
  case configBroken(first: String, count: Int)
  case configOutdated
  case buttonStuck
  case buttonNoisy
  case notDurable(String)
  case notReached(contact: String, reason: String)
  case refused(contact: String, reason: String)
  /// What the daily check of a service, or of a contact there, found.
  case serviceTrouble(subject: String, reason: String)
  case clockWrong(String)
  case clockUnset(year: Int)
  case buttonNotSeen
  case gpsDisconnected(String)
  /// Neither the server, where one is to be asked, nor the list on the device can tell any.
  case noAddresses(server: String?, list: String)
  case fault(String)

  /// What is wrong, a few words that fit a status line. Never a position, never a secret.
  package var headline: String {
    switch self {
    case .buttonUnavailable(let failure): "BUTTON DOES NOT WORK: \(failure.headline)"
    case .noButton: "no button configured"
    case .configBroken: "configuration has errors, last good one in force"
    case .configOutdated: "configuration changed but not reloaded"
    case .buttonStuck: "button held down for long, stuck?"
    case .buttonNoisy: "button line is noisy"
    case .notDurable: "alerts are NOT kept on disk"
    case .notReached(let contact, _): "\(contact) not reached yet"
    case .refused(let contact, _): "every route to \(contact) refuses"
    case .serviceTrouble(let subject, _): "\(subject) would fail"
    case .clockWrong: "clock is wrong"
    case .clockUnset(let year): "clock says \(year)"
    case .buttonNotSeen: "button not seen since its configuration changed"
    case .gpsDisconnected: "no gpsd"
    case .noAddresses: "no addresses"
    case .fault(let text): text
    }
  }

  /// The cause in full.
  package var cause: String {
    switch self {
    case .buttonUnavailable(let failure): "the button does not work: \(failure.sentence)"
    case .noButton: "no button is configured, so only 'soteriad press' raises an alert"
    case .configBroken(let first, let count):
      "the configuration file has \(count == 1 ? "an error" : "\(count) errors"), the last good one is in force: \(first)"
    case .configOutdated: "the configuration file was changed, and what it says is not in force yet"
    case .buttonStuck: "the button has been held down for more than 30 s; its press has been counted"
    case .buttonNoisy: "the button's line floods with edges; presses still count if they last 50 ms"
    case .notDurable(let reason): "alerts do not survive a power cut: \(reason)"
    case .notReached(let contact, let reason): "\(contact) has not been reached yet: \(reason)"
    case .refused(let contact, let reason): "every route to \(contact) refuses: \(reason)"
    case .serviceTrouble(let subject, let reason): "an alert by \(subject) would fail: \(reason)"
    case .clockWrong(let sentence): "\(sentence): messages tell a wrong time, and TLS may fail"
    case .clockUnset(let year):
      "the clock is not set, it says \(year): messages mark their time as unsure, and TLS may fail"
    case .buttonNotSeen: "the button has not been pressed since its configuration changed"
    case .gpsDisconnected(let reason): "no connection to gpsd: \(reason)"
    case .noAddresses(let server, let list):
      "messages carry no address: \(server.map { "\($0), and " } ?? "")\(list)"
    case .fault(let text): text
    }
  }

  /// What the person who finds the device can do.
  package var remedy: String {
    switch self {
    case .buttonUnavailable(.chipMissing):
      "correct button.chip in the configuration, or load the chip's driver; tried again for ever"
    case .buttonUnavailable(.lineMissing): "correct button.line; 'gpioinfo' lists the lines"
    case .buttonUnavailable(.busy):
      "stop that program, or choose another line in button.line; tried again for ever"
    case .buttonUnavailable(.failed):
      "check button.bias, the wiring and the permissions; tried again for ever"
    case .noButton: "add \"button\" to the configuration and run 'systemctl reload soteriad'"
    case .configBroken: "run 'soteriad check', mend what it lists, then 'systemctl reload soteriad'"
    case .configOutdated: "run 'soteriad check', then 'systemctl reload soteriad'"
    case .buttonStuck: "release it; if nobody holds it, check the wiring, button.active_low and button.bias"
    case .buttonNoisy: "check the wiring and set button.bias; 'soteriad test-button' shows the line"
    case .notDurable:
      "free space on, or replace, the disk that holds the state directory; tried again for ever"
    case .notReached:
      "check the network and run 'soteriad check --online'; tried again until delivery.expire is over"
    case .refused: "correct the contact's routes and run 'systemctl reload soteriad'; tried again every hour"
    case .serviceTrouble:
      "mend it in the configuration or at the service; 'soteriad check --online' asks again, the daemon every 15 minutes"
    case .clockUnset, .clockWrong: "let the device reach a time server, or set the clock with 'date'"
    case .buttonNotSeen: "run 'soteriad test-button' and press it"
    case .gpsDisconnected:
      "run 'systemctl status gpsd'; tried again for ever, and alerts go out with the last known position or none"
    case .noAddresses(.some, _):
      "mend the server or \"geocoder\" in the configuration, or install the package soteriad-places; alerts go out without"
    case .noAddresses(nil, _):
      "install the package soteriad-places, or correct geocoder.places; alerts go out without"
    case .fault: "see 'journalctl -u soteriad'"
    }
  }
}

extension ButtonFailure {
  package var headline: String {
    switch self {
    case .chipMissing(let wanted, _): "no chip \(wanted)"
    case .lineMissing(let wanted, _): "no line \(wanted)"
    case .busy(let line, let consumer): "\(line) is used by \(consumer)"
    case .failed(let line, let reason): "\(line): \(reason)"
    }
  }

  package var sentence: String {
    switch self {
    case .chipMissing(let wanted, let present):
      "no GPIO chip \(wanted); present: \(present.isEmpty ? "none" : present.joined(separator: ", "))"
    case .lineMissing(let wanted, let detail): "no line \(wanted): \(detail)"
    case .busy(let line, let consumer): "\(line) is in use by \(consumer)"
    case .failed(let line, let reason): "cannot watch \(line): \(reason)"
    }
  }
}
