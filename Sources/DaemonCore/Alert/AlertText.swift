/// Writes one message in the contact's language. Source: CONTRACT, `alert.text`.
struct AlertText {
  private let composition: Shared<Composition>
  private let phrases: any Phrases
  private let plainWearer: String?
  /// As they stand within a sentence.
  private let wearer: String?
  private let address: String?
  let cleanAddress: String?
  /// As text, which more than one line needs.
  private let latitude, longitude: String?
  let mapURL: String?

  /// An alert that leaves later than this after the press says so. Source: CONTRACT.
  static let lateAfter = Duration.seconds(120)
  /// A position younger than this is called the position, without an age.
  static let currentUpTo = Duration.seconds(5)

  init(_ composition: Shared<Composition>) {
    self.composition = composition
    phrases = composition.contact.language.phrases
    plainWearer = composition.wearer.map(\.onOneLine).flatMap { $0.isEmpty ? nil : $0 }
    wearer = plainWearer?.isolated
    cleanAddress = composition.facts.address?.text(in: composition.contact.language)
    address = cleanAddress?.isolated
    let fix = composition.facts.position.fix
    latitude = fix?.latitudeText
    longitude = fix?.longitudeText
    if let latitude, let longitude {
      mapURL = MapLink.url(latitude: latitude, longitude: longitude, style: composition.map)
    } else {
      mapURL = nil
    }
  }

  var wearerName: String { plainWearer ?? phrases.wearer }

  /// What a shortened text still holds of the whole.
  var essentials: [String] {
    var lines = [composition.isAlert && composition.template != nil ? wearerName : whole.firstLine]
    if composition.kind != .allClear, let fix = composition.facts.position.fix, let mapURL {
      lines += [fix.coordinates, mapURL]
    }
    if composition.drill { lines.append(phrases.drillEnds) }
    return lines
  }

  /// The whole text.
  var whole: String {
    // Longer than most, so that it need not grow.
    var text = Words(capacity: 640)
    if composition.isDrill { text.add(line: phrases.drillBegins(wearer: wearer)) }
    if composition.isLate {
      let delay = inWords(composition.delay)
      text.add(line: phrases.late(wearer: wearer, drill: composition.isDrill, at: moment, delay: delay))
    }
    if composition.isAlert, let template = composition.template {
      text.add(line: template.rendered(with: phrase))
    } else {
      addOwnLines(to: &text)
    }
    if composition.isDrill { text.add(line: phrases.drillEnds) }
    return String(text)
  }

  private func addOwnLines(to text: inout Words) {
    switch (composition.kind, composition.reason) {
    case (.alert, _): text.add(line: phrases.alert(wearer: wearer))
    case (.drill, _): break
    case (.allClear, _): text.add(line: phrases.allClear(wearer: wearer))
    case (.update, .pressedAgain): text.add(line: phrases.pressedAgain(wearer: wearer))
    case (.update, .late): text.add(line: phrases.updateAfterLate(wearer: wearer))
    case (.update, .position), (.update, nil): text.add(line: phrases.update(wearer: wearer))
    }
    if !composition.isAlert, let sinceFacts = composition.sinceFacts, sinceFacts > Self.lateAfter {
      text.add(line: phrases.lateUpdate(age: inWords(sinceFacts)))
    }
    if composition.kind != .allClear {
      addPosition(to: &text)
      if let address {
        let isMeasured = composition.facts.address?.isMeasured == true
        text.add(line: isMeasured ? "\(address)" : phrases.address(address))
      }
    }
    let first = composition.kind == .update
    text.add(
      line: moment.map { phrases.pressed(at: $0, first: first) }
        ?? phrases.pressed(delay: delayInWords, first: first))
    if composition.kind != .allClear, let battery = composition.facts.battery {
      text.add(line: phrases.battery(percent: phrases.percent(battery)))
    }
  }

  private func addPosition(to text: inout Words) {
    guard let latitude, let longitude, let mapURL, let origin = composition.facts.position.fix?.origin else {
      text.add(line: phrases.positionUnknownLine(implausible: composition.facts.position == .implausible))
      return
    }
    text.add(line: phrases.position(age: age, accuracy: accuracy))
    text.add(line: latitude)
    text.append(", ")
    text.append(longitude)
    text.add(line: mapURL)
    switch origin {
    case .measured: break
    case .deadReckoning: text.add(line: phrases.deadReckoning)
    case .simulated: text.add(line: phrases.simulated)
    }
  }

  /// What a placeholder of `alert.text` says: in words where the fact is not known.
  func phrase(_ placeholder: Placeholder) -> Words {
    switch placeholder {
    case .wearer: "\(wearer ?? phrases.wearer)"
    case .position: position
    case .address: address.map { "\($0)" } ?? phrases.addressUnknown
    case .map: mapURL.map { "\($0)" } ?? phrases.unknown
    case .lat: latitude.map { "\($0)" } ?? phrases.unknown
    case .lon: longitude.map { "\($0)" } ?? phrases.unknown
    case .accuracy: metres.map { "\(distance: $0)" } ?? phrases.unknown
    case .age: totalAge.map(inWords) ?? phrases.unknown
    case .time: moment ?? phrases.timeUnknown(delay: delayInWords)
    case .battery: composition.facts.battery.map(phrases.percent) ?? phrases.unknown
    }
  }

  private var position: Words {
    switch composition.facts.position {
    case .known(let fix, _, _):
      let remark = phrases.positionRemark(age: age, accuracy: accuracy, origin: fix.origin)
      return "\(fix.coordinates) (\(remark))"
    case .implausible: return phrases.positionImplausible
    case .unknown: return phrases.positionUnknown
    }
  }

  /// How old the position is as the message leaves; nil when nobody can tell.
  var totalAge: Duration? {
    guard case .known(_, let age?, _) = composition.facts.position else { return nil }
    return age + (composition.sinceFacts ?? (composition.isAlert ? composition.delay : .zero))
  }

  /// When the wearer was there; nil while the clock is not trusted, or when nobody can tell.
  var positionAt: WallTime? {
    guard composition.sentAt.trusted, let totalAge else { return nil }
    return composition.sentAt.advanced(by: .zero - totalAge)
  }

  private var age: PositionAge {
    guard case .known(_, _, let lastKnown) = composition.facts.position else { return .lastKnown(nil) }
    guard let totalAge else { return .lastKnown(nil) }
    if lastKnown { return .lastKnown(inWords(totalAge)) }
    return totalAge < Self.currentUpTo ? .now : .past(inWords(totalAge))
  }

  /// When the button was pressed; nil while the clock is not set.
  private var moment: Words? {
    guard composition.pressedAt.trusted else { return nil }
    return phrases.moment(composition.pressedAt.local)
  }

  private var delayInWords: Words? {
    composition.delay < .seconds(10) ? nil : inWords(composition.delay)
  }

  private var accuracy: Words {
    metres.map(phrases.accuracy(metres:)) ?? phrases.accuracyUnknown
  }

  /// nil where the receiver did not say.
  private var metres: Double? {
    guard let metres = composition.facts.position.fix?.accuracy, metres >= 0, metres < 1e9 else { return nil }
    return metres
  }

  /// In the largest unit of which there are at least two, cut rather than rounded.
  private func inWords(_ span: Duration) -> Words {
    let seconds = max(0, span.wholeSeconds)
    return switch seconds {
    case ..<60: phrases.seconds(seconds)
    case ..<7200: phrases.minutes(seconds / 60)
    case ..<172_800: phrases.hours(seconds / 3600)
    default: phrases.days(seconds / 86_400)
    }
  }
}

extension Composition {
  var isAlert: Bool { kind == .alert || kind == .drill }
  fileprivate var isDrill: Bool { drill || kind == .drill }

  /// Whether the text says that the alert is late.
  package var isLate: Bool { isAlert && delay > AlertText.lateAfter }

  /// From the press to this try: the spent time, or the calendar's where both readings are trusted and it is longer:
  /// the device was off.
  fileprivate var delay: Duration {
    guard pressedAt.trusted, sentAt.trusted else { return sincePress }
    let (span, overflow) = sentAt.milliseconds.subtractingReportingOverflow(pressedAt.milliseconds)
    return overflow ? sincePress : max(sincePress, .milliseconds(span))
  }
}

extension String {
  fileprivate var firstLine: String {
    String(self[..<(utf8.firstIndex(of: UInt8(ascii: "\n")) ?? endIndex)])
  }
}
