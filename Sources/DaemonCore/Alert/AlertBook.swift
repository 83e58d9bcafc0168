/// The alerts that have not ended, and what a press means for them.
package struct AlertBook: Sendable {
  /// What a press led to.
  package enum PressMeaning: Hashable, Sendable {
    /// No alert was open: a new one is to be raised.
    case new
    /// It belongs to this alert, and nobody needs to be told again.
    case joined(String)
    /// Everyone gets an update "pressed again".
    case again(String)
  }

  /// A press this soon after the alert's own joins it.
  package static let joining = Duration.seconds(60)
  /// Updates "pressed again" are at least this far apart.
  package static let againInterval = Duration.seconds(60)
  /// A drill ends by itself after this at the latest.
  package static let drillSpan = Duration.seconds(600)

  /// Oldest first.
  package private(set) var all: [Alert] = []
  private var places: [String: Int] = [:]
  private var heldUntil: [String: BootTime] = [:]
  private var lastAgain: [String: BootTime] = [:]
  private var lastPeriodic: [String: BootTime] = [:]

  package init() {}

  package subscript(id: String) -> Alert? { places[id].map { all[$0] } }

  /// The real alert that presses belong to: held or open.
  package var current: Alert? { all.last { $0.isCurrent } }

  /// Whether there is one.
  var isAlerting: Bool { all.contains { $0.isCurrent } }

  /// A press, by button or command.
  package mutating func pressed(at instant: BootTime, now: BootTime, openFor: Duration) -> PressMeaning {
    guard let alert = current, now < alert.lastPress + openFor || alert.state == .held else { return .new }
    change(alert.id) { $0.lastPress = max($0.lastPress, now) }
    // How long ago a press before a power cut really was, nobody knows: then everyone is told.
    let isRecent = alert.pressed.isOfThisBoot && instant - alert.pressed < Self.joining
    if alert.state == .held || isRecent { return .joined(alert.id) }
    if let last = lastAgain[alert.id], instant - last < Self.againInterval { return .joined(alert.id) }
    lastAgain[alert.id] = instant
    return .again(alert.id)
  }

  /// An earlier run told everyone "pressed again".
  package mutating func toldAgain(_ id: String, at instant: BootTime) {
    lastAgain[id] = max(lastAgain[id] ?? instant, instant)
  }

  /// One that is there already stays as it is.
  package mutating func add(_ alert: Alert, heldUntil deadline: BootTime? = nil) {
    guard places[alert.id] == nil else { return }
    // One that is read back may be older than a press that did not wait for the store.
    let place = all.firstIndex { $0.pressed > alert.pressed } ?? all.endIndex
    all.insert(alert, at: place)
    findPlaces(from: place)
    heldUntil[alert.id] = deadline
  }

  private mutating func findPlaces(from first: Int) {
    for place in first..<all.count { places[all[place].id] = place }
  }

  private mutating func change(_ id: String, _ body: (inout Alert) -> Void) {
    if let place = places[id] { body(&all[place]) }
  }

  package mutating func setState(_ id: String, _ state: AlertState) {
    change(id) { $0.state = state }
    heldUntil[id] = nil
  }

  /// The clock became trusted: says when an alert of this boot was really raised.
  package mutating func dated(_ id: String, _ moment: WallTime) {
    change(id) { $0.pressedAt = moment }
  }

  /// The place of a press got a name, for those who have not been told yet.
  package mutating func addAddress(_ address: Whereabouts, to id: String) {
    change(id) { $0.facts = $0.facts.with(address) }
  }

  package mutating func forget(_ id: String) {
    heldUntil[id] = nil
    lastAgain[id] = nil
    lastPeriodic[id] = nil
    guard let place = places.removeValue(forKey: id) else { return }
    all.remove(at: place)
    findPlaces(from: place)
  }

  /// The held alerts whose cancel window is over.
  package func heldOver(at now: BootTime) -> [String] {
    guard !heldUntil.isEmpty else { return [] }
    return all.map(\.id).filter { id in heldUntil[id].map { now >= $0 } ?? false }
  }

  /// The open alerts whose time is over.
  package func closing(at now: BootTime, openFor: Duration) -> [String] {
    all.filter { $0.state == .open && now >= closingTime(of: $0, openFor: openFor) }.map(\.id)
  }

  private func closingTime(of alert: Alert, openFor: Duration) -> BootTime {
    alert.kind == .drill ? alert.pressed + Self.drillSpan : alert.lastPress + openFor
  }

  /// The open alerts for which a periodic position is due.
  package func periodicDue(at now: BootTime, _ settings: UpdateSettings?) -> [String] {
    guard let settings else { return [] }
    return all.filter { alert in
      periodicTime(of: alert, settings).map { now >= $0 } ?? false
    }.map(\.id)
  }

  package mutating func periodicSent(_ id: String, at now: BootTime) {
    lastPeriodic[id] = now
  }

  private func periodicTime(of alert: Alert, _ settings: UpdateSettings) -> BootTime? {
    guard alert.kind == .alert, alert.state == .open else { return nil }
    let next = (lastPeriodic[alert.id] ?? alert.pressed) + settings.every
    return next <= alert.pressed + settings.during ? next : nil
  }

  package func nextDeadline(openFor: Duration, updates: UpdateSettings?) -> BootTime? {
    var next: BootTime?
    for alert in all {
      if alert.state == .open { next = earliest(next, closingTime(of: alert, openFor: openFor)) }
      if let updates { next = earliest(next, periodicTime(of: alert, updates)) }
      next = earliest(next, heldUntil[alert.id])
    }
    return next
  }
}
