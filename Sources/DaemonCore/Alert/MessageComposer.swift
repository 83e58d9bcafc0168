/// Makes the message of one try.
package enum MessageComposer {
  package static func compose(_ composition: Composition) -> Message {
    let source = Shared(composition)
    let writer = AlertText(source)
    return Message(
      source: source, wearer: writer.wearerName, text: writer.whole, positionAt: writer.positionAt,
      mapURL: writer.mapURL, address: writer.cleanAddress)
  }
}

extension Template {
  func rendered(with phrase: (Placeholder) -> Words) -> Words {
    var text = Words(capacity: 320)
    for piece in pieces {
      switch piece {
      case .literal(let literal): text.append(literal)
      case .placeholder(let placeholder): text.append(phrase(placeholder))
      }
    }
    return text
  }
}
