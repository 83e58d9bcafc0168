/// gpsd's reports and its comings and goings.
extension Engine {
  mutating func openGps() {
    guard let settings = configuration?.config.gps else { return }
    act(.openGps(host: settings.host, port: settings.port, generation: gps.opening()))
  }

  mutating func gpsOpened(_ generation: Int) {
    guard let tries = gps.opened(generation: generation, at: now) else { return }
    log(.notice, "gpsd: connected tries=\(tries)")
  }

  mutating func gpsReported(_ report: GpsReport) {
    gps.reported(at: now)
    fixes.reported(report, at: now)
    confirmClock(report)
    tellReceiverTime(report)
    if let moved = fixes.worthWriting(at: now) { keep(moved) }
  }

  mutating func gpsRubbish() {
    rubbish += 1
    if rubbish == 1 { log(.warning, "gpsd: skipped a line that is no report; further ones are only counted") }
  }

  mutating func gpsLost(_ generation: Int, _ reason: String) {
    guard let isNews = gps.lost(generation: generation, reason: reason, at: now) else { return }
    act(.closeGps)
    log(isNews ? .warning : .debug, "gpsd: not connected: \(reason); trying again")
  }

  mutating func advanceGps() {
    guard gps.isDue(at: now) else { return }
    if gps.isConnected {
      act(.closeGps)
      log(.notice, "gpsd: silent for \(GpsLink.silence.wholeSeconds) s: connecting anew")
    }
    openGps()
  }

  /// When the fix at hand stops being the present position, so that the status can say so.
  @inline(__always)
  func staleAt(_ config: Shared<Config>) -> BootTime? {
    guard let newest = fixes.newestAt else { return nil }
    let stale = newest + config.gps.staleAfter
    return stale >= now ? stale + .milliseconds(1) : nil
  }

  private var staleAfter: Duration { configuration?.config.gps.staleAfter ?? GpsSettings().staleAfter }

  /// What is said of the position where it is not to be said.
  @inline(__always)
  var gpsState: Status.Gps.State {
    guard gps.isConnected else { return .disconnected }
    if let newest = fixes.newestAt, now - newest <= staleAfter { return .fix }
    return fixes.hasFix ? .stale : .noFix
  }

  /// Where the wearer is at this moment, as far as is known.
  var position: PositionFact {
    fixes.position(at: now, staleAfter: staleAfter, clock: clock, bootID: identity.bootID)
  }

  mutating func keep(_ sighting: FixStore.Sighting) {
    let kept = KeptPosition(
      fix: sighting.fix, seenAt: clock.date(of: sighting.at), bootID: identity.bootID, bootTime: sighting.at)
    writes.append(.note(.position, document: kept.document))
  }

  /// Receivers are wrong by 1024 weeks after a rollover. It matters to nobody here, but whoever looks for the
  /// cause of an odd log will be glad of the line.
  private mutating func tellReceiverTime(_ report: GpsReport) {
    guard !isReceiverTimeTold, report.mode >= 2, let claimed = report.receiverTime, claimed.isFinite else {
      return
    }
    let wall = clock.date(of: now)
    guard wall.trusted, abs(claimed - Double(wall.milliseconds) / 1000) > 7 * 86_400 else { return }
    isReceiverTimeTold = true
    log(.notice, "gpsd: the receiver's date is more than a week off (week rollover?); it is not used")
  }
}
