import DaemonCore

/// A press becomes one alert or joins the open one; nothing else raises, closes or reopens any.
struct AlertRule: Rule {
  static let name = "one alert a press"

  private struct Known {
    var row: AlertRow
  }

  private static let slack = s(2)

  /// Of this run, in the order in which the daemon has them.
  private var known: [Known] = []
  /// When, in uptime, a press was last told again, by alert; of this run or read back by it, and ever.
  private var toldAgain: [String: Int64] = [:]
  private var everAgain: [String: Int64] = [:]
  private var startedAt: Int64 = 0
  private var isHelpOwed = false
  /// When, in uptime, each alert was raised, whatever a power cut made of that.
  private var pressed: [String: Int64] = [:]
  /// The longest and shortest times for which an alert stays open, of the configurations since the start.
  private var openFor: (shortest: Int64, longest: Int64) = (.max, 0)
  /// Nothing that depends on the moment of a press is judged before that.
  private var blurredUntil: Int64 = 0

  mutating func see(_ sight: Sight, _ scene: Scene) -> String? {
    if scene.isCutOff { return nil }
    if scene.stalledUntil > scene.now { blurredUntil = scene.stalledUntil + s(70) }
    switch sight {
    case .started:
      known = []
      startedAt = scene.now
      isHelpOwed = false
      toldAgain = [:]
      // A press of before the restart is heeded after it.
      blurredUntil = max(blurredUntil, scene.now + s(62))
      openFor = (.max, 0)
    case .loaded(let rows):
      let hasRaised = known.contains { $0.row.kind == .alert }
      for case .alert(let row) in rows where !known.contains(where: { $0.row.id == row.id }) {
        let place = known.firstIndex { $0.row.pressed.uptime(scene) > row.pressed.uptime(scene) }
        known.insert(Known(row: row), at: place ?? known.endIndex)
      }
      for case .delivery(let row) in rows where row.isAgain {
        note(row, isTold: row.created.uptime(scene) > scene.uptimeBefore, scene)
      }
      // A press waits half a second to learn of them.
      let isEarly = scene.now < startedAt + ms(500)
      for case .alert(let row) in rows where row.kind == .alert && (row.state == .open || row.state == .held)
      {
        if isEarly, hasRaised {
          return "an alert was raised without asking the store, where \(row.id) is open"
        }
      }
    case .handled(let event, let actions, let rows):
      let span = s(scene.setup.openFor)
      openFor = (min(openFor.shortest, span), max(openFor.longest, span))
      return handled(event, actions, rows, scene)
    default: break
    }
    return nil
  }

  private mutating func handled(_ event: Event, _ actions: [Action], _ rows: [Row], _ scene: Scene) -> String?
  {
    var wantsDrill = false
    var wantsHelp = actions.contains(.markPressed)
    if case .commanded(_, .press(let drill, _)) = event {
      wantsDrill = drill
      wantsHelp = wantsHelp || !drill
    }
    // A start puts a command off until it knows what is open.
    if wantsHelp, rows.isEmpty, scene.now < startedAt + ms(500) {
      isHelpOwed = true
      return nil
    }
    if isHelpOwed, !rows.isEmpty {
      wantsHelp =
        wantsHelp
        || rows.contains { row in
          if case .alert(let row) = row { row.kind == .alert } else { false }
        }
      isHelpOwed = scene.now < startedAt + ms(500)
    }
    guard wantsHelp || !rows.isEmpty else { return nil }
    let open = known.filter { $0.row.kind == .alert && ($0.row.state == .open || $0.row.state == .held) }
    let before = open.last
    var raised = 0
    var isHeard = false
    for case .alert(let row) in rows {
      guard let index = known.firstIndex(where: { $0.row.id == row.id }) else {
        guard row.kind == .drill ? wantsDrill : wantsHelp else {
          return "\(row.kind) \(row.id) was raised by nobody"
        }
        if row.kind == .alert { raised += 1 }
        known.append(Known(row: row))
        pressed[row.id] = row.pressed.uptime(scene)
        continue
      }
      // Which of two is the newer is not known after a power cut.
      if open.contains(where: { $0.row.id == row.id }) { isHeard = true }
      if let complaint = changed(known[index].row, row, event, scene) { return complaint }
      known[index].row = row
    }
    guard wantsHelp else { return againComplaint(rows, nil, scene) }
    if raised > 1 { return "\(raised) alerts of one moment" }
    let lost = "a press came to nothing"
    guard let before else { return raised == 0 ? lost : nil }
    let age = scene.uptime - before.row.lastPress.uptime(scene)
    if raised == 1, before.row.state == .held || age < openFor.shortest - Self.slack {
      return "a second alert while \(before.row.id) is open"
    }
    if raised == 0, !isHeard { return lost }
    return raised == 0 && open.count == 1 ? againComplaint(rows, before, scene) : nil
  }

  private func changed(_ old: AlertRow, _ new: AlertRow, _ event: Event, _ scene: Scene) -> String? {
    guard old.state != new.state else { return nil }
    switch (old.state, new.state) {
    case (.held, .open): return nil
    case (.open, .closed), (.held, .closed):
      if old.kind == .drill { return nil }
      let age = scene.uptime - old.lastPress.uptime(scene)
      return age < openFor.shortest - Self.slack ? "\(old.id) was closed after \(age / s(1)) s" : nil
    case (_, .cancelled):
      if case .commanded(_, .cancel) = event { return nil }
      return "\(old.id) was cancelled by nobody"
    default: return "\(old.id) went from \(old.state) to \(new.state)"
    }
  }

  /// Whether "pressed again" is told exactly when it should be.
  private mutating func againComplaint(_ rows: [Row], _ open: Known?, _ scene: Scene) -> String? {
    var hearers: Set<String> = []
    for case .delivery(let row) in rows where row.pending && row.isAgain { hearers.insert(row.key.contactID) }
    let earlier = open.map { (toldAgain[$0.row.id], everAgain[$0.row.id]) }
    for case .delivery(let row) in rows where row.isAgain && row.pending {
      note(row, isTold: open != nil, scene)
    }
    guard let open, let (told, ever) = earlier else { return nil }
    // A contact who is new hears of the alert itself instead.
    for case .delivery(let row) in rows where row.key.sequence == 0 {
      everAgain[row.key.alertID] = scene.uptime
    }
    guard scene.now > blurredUntil, open.row.state == .open else { return nil }
    let began = pressed[open.row.id] ?? open.row.pressed.uptime(scene)
    let since = scene.uptime - began
    if !hearers.isEmpty,
      since < s(58) && began > scene.uptimeBefore || told.map({ scene.uptime - $0 < s(58) }) ?? false
    {
      return "\"pressed again\" of \(open.row.id) was told too soon"
    }
    guard since > s(62), ever.map({ scene.uptime - $0 > s(62) }) ?? true else { return nil }
    for case .delivery(let row) in rows where row.key.sequence == 0 { hearers.insert(row.key.contactID) }
    let missing = scene.setup.people.map(\.id).filter { !hearers.contains($0) }
    return missing.isEmpty ? nil : "\"pressed again\" of \(open.row.id) is not told to \(missing)"
  }

  private mutating func note(_ row: DeliveryRow, isTold: Bool, _ scene: Scene) {
    let id = row.key.alertID
    let created = row.created.uptime(scene)
    if isTold { toldAgain[id] = max(toldAgain[id] ?? created, created) }
    everAgain[id] = max(everAgain[id] ?? created, created)
  }
}
