/// The owner's own text with placeholders, parsed once.
package struct Template: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    case literal(String)
    case placeholder(Placeholder)
  }
  package var pieces: [Piece]

  package init(pieces: [Piece]) {
    self.pieces = pieces
  }
}

/// Source: CONTRACT, `alert.text`.
package enum Placeholder: String, Hashable, Sendable, CaseIterable {
  case wearer, position, address, map, lat, lon, accuracy, age, time, battery
}
