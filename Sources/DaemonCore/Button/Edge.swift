/// A change of the line, already on the boot clock; pressed means the line's active level.
package struct Edge: Hashable, Sendable {
  package var pressed: Bool
  package var at: BootTime
  /// Whether edges between the one before and this one may have been lost.
  package var isAfterLoss: Bool

  package init(pressed: Bool, at: BootTime, afterLoss: Bool = false) {
    self.pressed = pressed
    self.at = at
    isAfterLoss = afterLoss
  }
}
