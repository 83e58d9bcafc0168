/// Start, reload, last good.
extension Engine {
  mutating func configRead(_ reading: ConfigReading) {
    let isReload = configuration != nil
    if isReload { act(.notify(.reloading)) }
    switch reading {
    case .good(let config, let text, let warnings):
      for warning in warnings { log(.warning, "\(warning)") }
      adopt(
        Configuration(
          config: Shared(config), text: text, source: .file, problems: [], warnings: warnings))
      act(.keepConfig(.loaded, text: text))
      if isReload { log(.notice, "configuration reloaded") }
    case .broken(let problems, let fallback):
      for problem in problems { log(.error, "\(problem)") }
      if configuration != nil {
        configuration?.source = .lastGood
        configuration?.problems = problems
        log(.error, "configuration not reloaded: the one in force stays")
      } else if let fallback {
        adopt(
          Configuration(
            config: Shared(fallback.config), text: fallback.text, source: .lastGood, problems: problems,
            warnings: []))
        log(.error, "configuration has errors: running with the last good one")
      } else {
        log(.critical, "configuration has errors and there is no last good one: nothing to run with")
        act(.exit(status: 78))
      }
    }
    if isReload { act(.notify(.ready(status: headline.line))) }
  }

  mutating func configFileChanged(_ text: String?) {
    guard let current = configuration else { return }
    let isOutdated = text != current.text
    guard isOutdated != current.isOutdated else { return }
    configuration?.isOutdated = isOutdated
    if isOutdated {
      guard current.source == .file else { return }
      log(.notice, "configuration: the file was changed; the one in force stays until a reload")
    } else {
      // Also where a broken one was to be loaded meanwhile.
      configuration?.source = .file
      configuration?.problems = []
      log(.notice, "configuration: the file says again what is in force")
    }
  }

  private mutating func adopt(_ next: Configuration) {
    let previous = configuration?.config
    configuration = next
    outbox.reconfigured(next.config.value, at: now)
    online.reset()
    if pingAt == nil, let interval = identity.pingInterval { pingAt = now + interval }
    if previous == nil || previous?.gps.host != next.config.gps.host
      || previous?.gps.port != next.config.gps.port
    {
      act(.closeGps)
      gps.closed()
      openGps()
    }
    if previous == nil || previous?.button != next.config.button { watchButton(next.config.button) }
    if previous?.geocoder != next.config.geocoder { useGeocoder(next.config.geocoder) }
    if button?.isWatched ?? true { configuration?.runningSince = now }
  }

  private mutating func watchButton(_ settings: ButtonSettings?) {
    if button != nil { act(.closeButton) }
    button = settings.map { ButtonMonitor(settings: $0) }
    if let settings {
      act(.openButton(settings))
    } else {
      log(.warning, "no button is configured: only 'soteriad press' raises an alert")
      becomeReady()
    }
  }

  /// The button is armed or known to be unavailable: the start is over.
  mutating func becomeReady() {
    guard !isReady else { return }
    isReady = true
    let present = headline
    (toldHeadline, toldLine) = (present, present.line)
    act(.notify(.ready(status: toldLine)))
  }

  @inline(__always)
  var provenAt: BootTime? {
    guard let since = configuration?.runningSince, configuration?.isProven == false,
      configuration?.source == .file
    else { return nil }
    return since + Self.provenAfter
  }

  mutating func advanceConfiguration() {
    guard let due = provenAt, now >= due, let text = configuration?.text else { return }
    configuration?.isProven = true
    act(.keepConfig(.proven, text: text))
  }
}
