/// Writes one message in the contact's language. Source: CONTRACT, `alert.text`.
struct AlertText {
  private let composition: Composition
  private let phrases: any Phrases
  private let plainWearer: String?
  /// As they stand within a sentence.
  private let wearer: String?
  private let address: String?
  let cleanAddress: String?
  /// From the press to this try.
  private let delay: Duration

  /// An alert that leaves later than this after the press says so. Source: CONTRACT.
  static let lateAfter = Duration.seconds(120)
  /// A position younger than this is called the position, without an age.
  static let currentUpTo = Duration.seconds(5)

  init(_ composition: Composition) {
    self.composition = composition
    phrases = composition.contact.language.phrases
    plainWearer = composition.wearer.map(\.onOneLine).flatMap { $0.isEmpty ? nil : $0 }
    wearer = plainWearer?.isolated
    cleanAddress = composition.facts.address?.text(in: composition.contact.language)
    address = cleanAddress?.isolated
    delay = Self.delay(of: composition)
  }

  var wearerName: String { plainWearer ?? phrases.wearer }
  var mapURL: String? { fix.map { MapLink.url(of: $0, style: composition.map) } }

  /// What a shortened text still holds of the lines of the whole.
  func essentials(of lines: [String]) -> [String] {
    let firstLine = composition.template == nil || !isAlert ? lines.first : wearerName
    let place = composition.kind == .allClear ? [] : [fix?.coordinates, mapURL]
    return ([firstLine] + place + [composition.drill ? phrases.drillEnds : nil]).compactMap { $0 }
  }

  var isLate: Bool { isAlert && delay > Self.lateAfter }

  private var isAlert: Bool { composition.kind == .alert || composition.kind == .drill }
  private var isDrill: Bool { composition.drill || composition.kind == .drill }
  private var fix: Fix? { composition.facts.position.fix }

  /// The whole text.
  var lines: [String] {
    var lines: [String] = []
    if isDrill { lines.append(phrases.drillBegins(wearer: wearer)) }
    if isLate {
      lines.append(phrases.late(wearer: wearer, drill: isDrill, at: moment, delay: inWords(delay)))
    }
    if isAlert, let template = composition.template {
      lines.append(template.rendered(with: placeholders))
    } else {
      lines += ownLines
    }
    if isDrill { lines.append(phrases.drillEnds) }
    return lines
  }

  private var ownLines: [String] {
    var lines: [String] = []
    switch (composition.kind, composition.reason) {
    case (.alert, _): lines.append(phrases.alert(wearer: wearer))
    case (.drill, _): break
    case (.allClear, _): lines.append(phrases.allClear(wearer: wearer))
    case (.update, .pressedAgain): lines.append(phrases.pressedAgain(wearer: wearer))
    case (.update, .late): lines.append(phrases.updateAfterLate(wearer: wearer))
    case (.update, .position), (.update, nil): lines.append(phrases.update(wearer: wearer))
    }
    if !isAlert, let sinceFacts = composition.sinceFacts, sinceFacts > Self.lateAfter {
      lines.append(phrases.lateUpdate(age: inWords(sinceFacts)))
    }
    if composition.kind != .allClear {
      lines += positionLines
      if let address {
        let isMeasured = composition.facts.address?.isMeasured == true
        lines.append(isMeasured ? address : phrases.address(address))
      }
    }
    let first = composition.kind == .update
    lines.append(
      moment.map { phrases.pressed(at: $0, first: first) }
        ?? phrases.pressed(delay: delayInWords, first: first))
    if composition.kind != .allClear, let battery = composition.facts.battery {
      lines.append(phrases.battery(percent: phrases.percent(battery)))
    }
    return lines
  }

  private var positionLines: [String] {
    guard let fix, let mapURL else {
      return [phrases.positionUnknownLine(implausible: composition.facts.position == .implausible)]
    }
    let origin: [String] =
      switch fix.origin {
      case .measured: []
      case .deadReckoning: [phrases.deadReckoning]
      case .simulated: [phrases.simulated]
      }
    return [phrases.position(age: age, accuracy: accuracy(of: fix)), fix.coordinates, mapURL] + origin
  }

  /// Every placeholder of `alert.text`, in words where the fact is not known.
  var placeholders: [Placeholder: String] {
    var values: [Placeholder: String] = [
      .wearer: wearer ?? phrases.wearer, .address: address ?? phrases.addressUnknown,
      .map: mapURL ?? phrases.unknown,
      .lat: fix?.latitudeText ?? phrases.unknown, .lon: fix?.longitudeText ?? phrases.unknown,
      .accuracy: fix.flatMap(metres) ?? phrases.unknown,
      .age: totalAge.map(inWords) ?? phrases.unknown,
      .time: moment ?? phrases.timeUnknown(delay: delayInWords),
      .battery: composition.facts.battery.map(phrases.percent) ?? phrases.unknown,
    ]
    switch composition.facts.position {
    case .known(let fix, _, _):
      let remark = phrases.positionRemark(age: age, accuracy: accuracy(of: fix), origin: fix.origin)
      values[.position] = "\(fix.coordinates) (\(remark))"
    case .implausible: values[.position] = phrases.positionImplausible
    case .unknown: values[.position] = phrases.positionUnknown
    }
    return values
  }
}

extension AlertText {
  /// The spent time, or the calendar's where both readings are trusted and it is longer: the device was off.
  private static func delay(of composition: Composition) -> Duration {
    let (pressed, sent) = (composition.pressedAt, composition.sentAt)
    guard pressed.trusted, sent.trusted else { return composition.sincePress }
    let (span, overflow) = sent.milliseconds.subtractingReportingOverflow(pressed.milliseconds)
    return overflow ? composition.sincePress : max(composition.sincePress, .milliseconds(span))
  }

  /// How old the position is as the message leaves; nil when nobody can tell.
  var totalAge: Duration? {
    guard case .known(_, let age?, _) = composition.facts.position else { return nil }
    return age + (composition.sinceFacts ?? (isAlert ? delay : .zero))
  }

  private var age: PositionAge {
    guard case .known(_, _, let lastKnown) = composition.facts.position else { return .lastKnown(nil) }
    guard let totalAge else { return .lastKnown(nil) }
    if lastKnown { return .lastKnown(inWords(totalAge)) }
    return totalAge < Self.currentUpTo ? .now : .past(inWords(totalAge))
  }

  /// When the button was pressed; nil while the clock is not set.
  private var moment: String? {
    guard composition.pressedAt.trusted else { return nil }
    return phrases.moment(composition.pressedAt.local, zone: zone)
  }

  private var delayInWords: String? { delay < .seconds(10) ? nil : inWords(delay) }

  /// `UTC`, `UTC+7`, `UTC-3:30`.
  private var zone: String {
    let minutes = composition.pressedAt.utcOffset / 60
    guard minutes != 0 else { return "UTC" }
    let (hours, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
    return "UTC\(minutes < 0 ? "-" : "+")\(hours)" + (rest == 0 ? "" : ":\(padded(Int(rest), to: 2))")
  }

  private func accuracy(of fix: Fix) -> String {
    metres(fix).map(phrases.accuracy) ?? phrases.accuracyUnknown
  }

  /// `4 m`, from a kilometre on `2 km`; nil where the receiver did not say.
  private func metres(_ fix: Fix) -> String? {
    guard let metres = fix.accuracy, metres >= 0, metres < 1e9 else { return nil }
    if metres < 999.5 { return "\(max(1, Int(metres + 0.5))) m" }
    // Up, so that nobody searches too small a circle.
    return "\((Int(metres) + 999) / 1000) km"
  }

  /// In the largest unit of which there are at least two, cut rather than rounded.
  private func inWords(_ span: Duration) -> String {
    let seconds = max(0, span.wholeSeconds)
    return switch seconds {
    case ..<60: phrases.seconds(seconds)
    case ..<7200: phrases.minutes(seconds / 60)
    case ..<172_800: phrases.hours(seconds / 3600)
    default: phrases.days(seconds / 86_400)
    }
  }
}
