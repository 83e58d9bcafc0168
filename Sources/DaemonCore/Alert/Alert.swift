/// One press and what became of it. The unit that is stored, joined, cancelled and closed.
package struct Alert: Equatable, Sendable {
  package var id: String
  /// `.alert` or `.drill`.
  package var kind: MessageKind
  /// When it was raised, on this boot's clock. Of another boot's alert: an instant that makes
  /// `now - pressed` the time spent since, power-off not counted.
  package var pressed: BootTime
  /// When it was raised, by the calendar; corrected when the clock becomes trusted within the same boot.
  package var pressedAt: WallTime
  /// The boot in which it was raised. Source: /proc/sys/kernel/random/boot_id.
  package var bootID: String
  package var facts: Facts
  package var state: AlertState
  /// The newest press that belongs to it: raised, joined or again.
  package var lastPress: BootTime

  /// Whether presses belong to it.
  var isCurrent: Bool { kind == .alert && (state == .open || state == .held) }

  /// From when its age is counted for pruning: never, where the clock was not set, for no calendar tells how old it is.
  var agesFrom: Int64 { pressedAt.trusted ? pressedAt.milliseconds : .max }

  package init(
    id: String, kind: MessageKind, pressed: BootTime, pressedAt: WallTime, bootID: String, facts: Facts,
    state: AlertState, lastPress: BootTime
  ) {
    self.id = id
    self.kind = kind
    self.pressed = pressed
    self.pressedAt = pressedAt
    self.bootID = bootID
    self.facts = facts
    self.state = state
    self.lastPress = lastPress
  }
}

/// Where an alert is in its life.
package enum AlertState: String, Hashable, Sendable {
  /// In its cancel window, nobody told yet. Deadline or restart → open; cancel → cancelled.
  case held
  /// Contacts are being told; presses join it. Cancel → cancelled; `alert.open_for` over → closed.
  case open
  /// Over by time. Deliveries still pending go on until expiry.
  case closed
  /// Ended by the wearer: all-clear sent to everyone who may have been alerted.
  case cancelled
}

/// Source: CONTRACT webhook `kind`.
package enum MessageKind: String, Hashable, Sendable {
  case alert
  case update
  case allClear = "all-clear"
  case drill
}

/// Why an update is sent.
package enum UpdateReason: String, Hashable, Sendable {
  /// The button was pressed again while the alert was open.
  case pressedAgain = "pressed-again"
  /// The periodic position.
  case position
  /// The alert itself arrived late, so this says where the wearer is now.
  case late
}
