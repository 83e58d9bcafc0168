/// The line and what it says.
extension Engine {
  mutating func edgesSeen(_ edges: [Edge], level: Bool?, lost: Bool) {
    guard let findings = button?.edgesSeen(edges, level: level, lost: lost, at: now) else { return }
    if lost || edges.contains(where: \.isAfterLoss), button?.isNoisy == false {
      log(.debug, "button: edges were lost, the level was read")
    }
    heed(findings)
    if button?.isNoisy == true { act(.restButton) }
  }

  mutating func buttonOpened(_ link: ButtonLink) {
    guard button != nil else { return }
    _ = button?.opened(link, at: now)
    configuration?.runningSince = now
    log(.notice, "button: watching \(link.description)\(link.adopted ? " since before the restart" : "")")
    if link.pressed == true, button?.isPressed == true {
      log(.warning, "button: held down already; that alone is no press")
    }
    if button?.isPressed == false, link.pressed != true { act(.markReleased) }
    becomeReady()
  }

  mutating func buttonFailed(_ failure: ButtonFailure) {
    var isNews = true
    if case .missing(let earlier, let attempt, _) = button?.link {
      isNews = earlier != failure || failure.isBusy && attempt == 1
    } else if failure.isBusy {
      isNews = false
    }
    button?.failed(failure, at: now)
    configuration?.runningSince = nil
    // A descriptor that systemd is just letting go of is no news; the second try finds it free.
    log(isNews ? .error : .debug, "button: \(failure.sentence); trying again for ever")
    becomeReady()
  }

  mutating func buttonVanished() {
    guard button != nil else { return }
    act(.closeButton)
    buttonFailed(.failed(line: "the line", reason: "the chip went away"))
  }

  mutating func devicesChanged() {
    guard case .missing = button?.link else { return }
    reopenButton()
  }

  mutating func reopenButton() {
    guard let settings = button?.settings else { return }
    button?.reopening(at: now)
    act(.openButton(settings))
  }

  mutating func heed(_ findings: [ButtonMonitor.Finding]) {
    for finding in findings {
      switch finding {
      case .settled(let pressed, let instant, let bounce, let edges):
        settled(pressed: pressed, at: instant, bounce: bounce, edges: edges)
      case .gesture(let instant):
        gestureMade(at: instant)
      case .noise(let noisy):
        if noisy {
          log(.warning, "button: the line floods with edges; check the wiring and the bias")
        } else {
          log(.notice, "button: the line is quiet again")
        }
      case .stuck:
        log(.warning, "button: held down for \(ButtonMonitor.stuckAfter.wholeSeconds) s: stuck?")
      case .unstuck(let span):
        log(.notice, "button: released after \(span.wholeSeconds) s")
      }
    }
    if case .missing(_, _, let retry) = button?.link, now >= retry { reopenButton() }
  }

  private mutating func settled(pressed: Bool, at instant: BootTime, bounce: Duration, edges: Int) {
    log(
      .debug, "button: \(pressed ? "pressed" : "released") edges=\(edges) bounce=\(bounce.inMilliseconds)ms")
    if pressed { seeButton() } else { act(.markReleased) }
    // Whatever the gesture asks for takes time, in which an address may come.
    if pressed, test == nil { lookUpAddress(online: true) }
    if test != nil { testSettled(pressed: pressed, at: instant, bounce: bounce, edges: edges) }
  }

  mutating func gestureMade(at instant: BootTime) {
    if isStoreAwaited { return early.append(.gesture(at: instant)) }
    act(.markPressed)
    // A press that began before the test did was meant.
    if let test, (button?.pressedSince ?? instant) >= test.started { return }
    _ = press(at: instant, kind: .alert, source: "the button")
  }

  /// The button works as configured now: whoever changed its configuration may be at ease.
  private mutating func seeButton() {
    guard let settings = button?.settings, buttonHistory.seen != settings.fingerprint else { return }
    buttonHistory.seen = settings.fingerprint
    writes.append(.note(.button, document: buttonHistory.document))
  }
}

extension ButtonFailure {
  fileprivate var isBusy: Bool {
    if case .busy = self { return true }
    return false
  }
}
