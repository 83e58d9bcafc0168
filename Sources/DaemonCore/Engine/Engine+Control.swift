/// What users ask through the control socket.
extension Engine {
  mutating func commanded(_ client: ClientID, _ command: Command) {
    guard configuration != nil else { return refuse(client, "the daemon is still starting") }
    switch command {
    case .press(drill: false, _) where isStoreAwaited, .cancel where isStoreAwaited:
      early.append(.command(client, command))
    case .press(let drill, let wait):
      pressCommanded(client, drill: drill, wait: wait)
    case .status:
      tellStatus(client)
    case .cancel:
      guard let sentence = cancel() else { return refuse(client, "no alert is open") }
      reply(client, text: sentence, last: true)
    case .testButton(let span):
      startTest(client, span)
    case .alerts(let id):
      flush()
      historyAsked[client] = id
      act(.readHistory(client, alertID: id))
    }
  }

  // Out of line, for what a whole status takes of the stack would otherwise lie under every press.
  @inline(never)
  private mutating func tellStatus(_ client: ClientID) {
    let status = self.status
    reply(client, .fields([("text", .string(status.text)), ("json", status.json)]), last: true)
  }

  mutating func clientGone(_ client: ClientID) {
    pressWaits.removeAll { $0.client == client }
    historyAsked[client] = nil
    // A press counts, whoever stays to hear of it.
    early = early.map { $0.without(client) }
    if test?.client == client { endTest(nil) }
  }

  mutating func historyRead(_ client: ClientID, _ alerts: [String], _ deliveries: [String]) {
    // What the disk has not taken yet is known here.
    let asked = historyAsked.removeValue(forKey: client)
    let present = book.all.filter { asked == nil || $0.id == asked }
    let recent = present.map { $0.document(identity: identity, now: now) }
    let moving = present.flatMap { outbox.deliveries(of: $0.id) }.map {
      $0.document(identity: identity, now: now)
    }
    let history = History(alerts: alerts + recent, deliveries: deliveries + moving)
    let complaint = history.complaint(about: asked)
    let exit: [(String, JSON)] = complaint == nil ? [] : [("exit", .integer(1))]
    reply(
      client, .fields([("text", .string(complaint ?? history.text)), ("json", history.json)] + exit),
      last: true)
  }

  private mutating func reply(_ client: ClientID, _ answer: JSON, last: Bool) {
    act(.reply(client, answer.encoded, last: last))
  }

  private mutating func reply(_ client: ClientID, text: String, last: Bool) {
    act(.reply(client, ControlAnswer.line(text: text), last: last))
  }

  private mutating func refuse(_ client: ClientID, _ reason: String) {
    reply(client, .fields([("error", .string(reason))]), last: true)
  }

  // MARK: press

  private mutating func pressCommanded(_ client: ClientID, drill: Bool, wait: Duration?) {
    let id = press(at: now, kind: drill ? .drill : .alert, source: "'soteriad press'")
    pressWaits.append(PressWait(client: client, alertID: id, until: wait.map { now + $0 }))
  }

  /// Whoever reads the id may rely on the alert: a crash behind that no longer loses it.
  @inline(__always)
  private func isBeingStored(_ alertID: String) -> Bool {
    gated.contains { $0.alertID == alertID } || ledger.isWaiting(alertID: alertID)
  }

  mutating func answerPresses(evenUnstored: Bool = false) {
    for index in pressWaits.indices where !pressWaits[index].isTold {
      let wait = pressWaits[index]
      guard evenUnstored || !isBeingStored(wait.alertID) else { continue }
      pressWaits[index].isTold = true
      reply(wait.client, text: wait.alertID, last: wait.until == nil)
    }
    pressWaits.removeAll { $0.isTold && $0.until == nil }
  }

  mutating func advanceWaits() {
    guard !pressWaits.isEmpty else { return }
    answerPresses()
    for wait in pressWaits where wait.isTold {
      guard let until = wait.until else { continue }
      let first = outbox.deliveries(of: wait.alertID).filter { $0.key.sequence == 0 }
      let missing = first.filter { !$0.state.isTaken }
      if missing.isEmpty && !first.isEmpty {
        pressWaits.removeAll { $0 == wait }
        reply(wait.client, .fields([("exit", .integer(0))]), last: true)
      } else if now >= until || missing.contains(where: { $0.state == .cancelled }) {
        pressWaits.removeAll { $0 == wait }
        let names = missing.map { "\($0.contact.name): \($0.lastError ?? $0.state.rawValue)" }
        let text = "not everyone has it: \(names.joined(separator: "; "))"
        reply(wait.client, .fields([("text", .string(text)), ("exit", .integer(1))]), last: true)
      }
    }
  }

  // MARK: test-button

  private mutating func startTest(_ client: ClientID, _ span: Duration) {
    guard let button else { return refuse(client, "no button is configured") }
    guard test == nil else { return refuse(client, "another test is running") }
    guard case .watched(let link) = button.link else {
      return refuse(client, "the button is not available; see 'soteriad status'")
    }
    test = ButtonTest(client: client, started: now, until: now + span)
    log(.notice, "button test: presses raise no alert for \(span.text)")
    say(
      "watching \(link.description) for \(span.text): press the button. No alert is raised, except by holding it"
        + " for 3 s or pressing it three times within 5 s")
  }

  mutating func testSettled(pressed: Bool, at instant: BootTime, bounce: Duration, edges: Int) {
    test?.bounced(bounce)
    let chatter = edges > 1 ? "\(edges) edges, bounced for \(bounce.inMilliseconds) ms" : "1 edge, no bounce"
    say("\(pressed ? "pressed" : "released") (\(chatter))")
    let isMeant = pressed ? test?.pressed(at: instant) : test?.released(at: instant)
    if isMeant == true { callMeant(at: instant) }
  }

  mutating func advanceTest() {
    guard let test else { return }
    if let since = button?.heldSince, test.isHeld(since: since) {
      if now - since >= ButtonTest.hold { callMeant(at: since) }
    } else if now >= test.until {
      let seen = test.count == 1 ? "1 press" : "\(test.count) presses"
      let advice =
        test.count == 0
        ? "no press was seen: check button.chip, button.line and the wiring"
        : "\(seen) seen; suggested button.debounce: \(test.suggestedDebounce.text)"
      endTest(advice)
    } else if button?.isWatched != true {
      endTest("the button went away; see 'soteriad status'")
    }
  }

  private mutating func callMeant(at instant: BootTime) {
    endTest("that is a call for help: raising an alert")
    _ = press(at: instant, kind: .alert, source: "the button during a test")
    act(.markPressed)
  }

  private mutating func say(_ line: String) {
    guard let client = test?.client else { return }
    reply(client, text: line, last: false)
  }

  /// `nil` when the caller has gone.
  private mutating func endTest(_ line: String?) {
    guard let client = test?.client else { return }
    test = nil
    log(.notice, "button test over: presses raise alerts")
    guard let line else { return }
    reply(client, .fields([("text", .string(line)), ("exit", .integer(0))]), last: true)
  }
}
