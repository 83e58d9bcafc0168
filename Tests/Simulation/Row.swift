import DaemonCore

/// A row as the daemon hands it to the store or reads it back, as far as the rules look at it.
enum Row {
  case alert(AlertRow)
  case delivery(DeliveryRow)

  static func rows(of actions: [Action]) -> [Row] {
    var rows: [Row] = []
    for case .store(_, let writes) in actions { rows += self.rows(of: writes) }
    return rows
  }

  static func rows(of writes: [StoreWrite]) -> [Row] {
    writes.compactMap { write in
      switch write {
      case .alert(_, let ended, _, let document): AlertRow(document, ended: ended).map { .alert($0) }
      case .delivery(_, _, _, _, let document): DeliveryRow(document).map { .delivery($0) }
      case .note: nil
      }
    }
  }

  static func rows(of state: StoredState) -> [Row] {
    state.alerts.compactMap { AlertRow($0, ended: false).map { .alert($0) } }
      + state.deliveries.compactMap { DeliveryRow($0).map { .delivery($0) } }
  }
}

struct AlertRow {
  var id: String
  var kind: MessageKind
  var state: AlertState
  var ended: Bool
  var pressed: Moment
  var lastPress: Moment

  init?(_ document: String, ended: Bool) {
    var reader = Reader(document)
    guard let id = reader.text("\"id\":\""), let kind = reader.text("\"kind\":\"").flatMap(MessageKind.init),
      let state = reader.text("\"state\":\"").flatMap(AlertState.init),
      let pressed = reader.moment("\"pressed\":"), let lastPress = reader.moment("\"last_press\":")
    else { return nil }
    self.id = id
    self.kind = kind
    self.state = state
    self.ended = ended
    self.pressed = pressed
    self.lastPress = lastPress
  }
}

struct DeliveryRow {
  var key: Delivery.Key
  var kind: MessageKind
  /// Whether it tells that the button was pressed again.
  var isAgain: Bool
  var state: DeliveryState
  var pending: Bool
  var services: [String]
  var created: Moment

  init?(_ document: String) {
    var reader = Reader(document)
    guard let alert = reader.text("\"alert\":\""), let sequence = reader.number("\"sequence\":"),
      let kind = reader.text("\"kind\":\"").flatMap(MessageKind.init)
    else { return nil }
    var ahead = reader
    isAgain = ahead.span(from: "\"reason\":", to: ",") == "\"pressed-again\""
    guard let contact = reader.text("\"contact\":{\"id\":\"") else { return nil }
    services = []
    guard let names = reader.span(from: "\"routes\":[", to: "]") else { return nil }
    var routes = Reader(names)
    while let name = routes.text("\"gateway\":\"") { services.append(name) }
    guard let state = reader.text("\"state\":\"").flatMap(DeliveryState.init),
      let ended = reader.span(from: "\"ended\":", to: ","), let created = reader.moment("\"created\":")
    else { return nil }
    key = Delivery.Key(alertID: alert, contactID: contact, sequence: Int(sequence))
    self.kind = kind
    self.state = state
    pending = ended != "true"
    self.created = created
  }
}

/// An instant of some boot, as a row tells it.
struct Moment {
  var boot: String
  var at: Int64

  /// For how long the device had been on at that time.
  func uptime(_ scene: Scene) -> Int64 { (scene.uptimeAtBoot[boot] ?? 0) + at }
}

/// Finds fields of a document in the order in which they are written: a parser would take most of the time.
private struct Reader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ document: String) {
    bytes = Array(document.utf8)
  }

  mutating func text(_ start: StaticString) -> String? { span(from: start, to: "\"") }

  mutating func number(_ start: StaticString) -> Int64? {
    guard skip(past: start) else { return nil }
    let first = index
    while index < bytes.count, bytes[index] == UInt8(ascii: "-") || (0x30...0x39).contains(bytes[index]) {
      index += 1
    }
    return Int64(String(decoding: bytes[first..<index], as: UTF8.self))
  }

  mutating func moment(_ start: StaticString) -> Moment? {
    guard skip(past: start), let boot = text("\"boot\":\""), let at = number("\"at_ns\":") else { return nil }
    return Moment(boot: boot, at: at)
  }

  mutating func span(from start: StaticString, to end: StaticString) -> String? {
    guard skip(past: start) else { return nil }
    let first = index
    guard skip(past: end) else { return nil }
    return String(decoding: bytes[first..<index - end.utf8CodeUnitCount], as: UTF8.self)
  }

  private mutating func skip(past needle: StaticString) -> Bool {
    let count = needle.utf8CodeUnitCount
    return needle.withUTF8Buffer { wanted in
      var place = index
      while place + count <= bytes.count {
        if bytes[place] == wanted[0] {
          var length = 1
          while length < count, bytes[place + length] == wanted[length] { length += 1 }
          if length == count {
            index = place + count
            return true
          }
        }
        place += 1
      }
      return false
    }
  }
}
