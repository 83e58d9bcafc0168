/// A change of the line, already on the boot clock; pressed means the line's active level.
package struct Edge: Hashable, Sendable {
  package var pressed: Bool
  package var at: BootTime

  package init(pressed: Bool, at: BootTime) {
    self.pressed = pressed
    self.at = at
  }
}
