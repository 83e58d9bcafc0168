/// Knows addresses, and whom to ask for them when.
///
/// A server is asked when somebody asks for help, at most once a second, and once for a place and a language: what
/// it answered is remembered. The list on the device is asked as well, for what the server does not know in time.
package struct Geocoder: Sendable {
  /// What is known of one place counts as far as this around it, metres.
  package static let around = 50.0
  /// Source: the usage policy of nominatim.openstreetmap.org: "an absolute maximum of 1 request per second".
  package static let interval = Duration.seconds(1)
  /// An answer that takes longer comes too late for any message.
  package static let timeout = Duration.seconds(15)
  /// How long a server is left alone whose answer was none.
  package static let rest = Duration.seconds(60)
  private static let longestRest = Duration.seconds(3600)
  /// As many answers and places are remembered.
  private static let memory = 64

  private struct Answer: Hashable, Sendable {
    var spot: Spot
    var language: Language
    /// nil: there is none.
    var words: String?
  }

  private struct Find: Hashable, Sendable {
    var spot: Spot
    var place: NearestPlace?
  }

  package let settings: GeocoderSettings
  private var queue: [GeocoderQuestion] = []
  private var asked: [Int: GeocoderQuestion] = [:]
  private var searching: [Int: Spot] = [:]
  private var answers: [Answer] = []
  private var finds: [Find] = []
  private var nextAt: BootTime?
  private var nextSearch = 1
  /// When the present looking began: a message waits for `deadline` from there.
  package private(set) var lookedAt: BootTime?
  /// Why the last question was not answered; nil when it was.
  package private(set) var trouble: String?
  /// Why the list cannot be read; nil when it can, or was not asked yet.
  package private(set) var placesTrouble: String?

  package init(_ settings: GeocoderSettings) {
    self.settings = settings
  }

  /// Somebody may have to be told where that is. Returns the search of the list to begin, if any.
  package mutating func look(
    for fix: Fix, languages: [Language], online: Bool, at now: BootTime
  ) -> (search: Int, Spot)? {
    let spot = Spot(fix)
    var isNew = false
    if online, settings.service != nil, nextAt.map({ $0 <= now + Self.interval }) ?? true {
      for language in languages where !isAsking(spot, language) && answer(at: spot, language) == nil {
        queue.append(GeocoderQuestion(spot: spot, accuracy: fix.accuracy, language: language))
        isNew = true
      }
    }
    var search: (Int, Spot)?
    // A list that could not be read is tried again, as the disk may have come back.
    if !isSearching(spot), find(at: spot) == nil {
      search = (nextSearch, spot)
      searching[nextSearch] = spot
      nextSearch += 1
      isNew = true
    }
    if isNew { lookedAt = now }
    return search
  }

  /// The search of the list to begin that tells whether it can be read.
  package mutating func probe() -> Int {
    defer { nextSearch += 1 }
    searching[nextSearch] = .nowhere
    return nextSearch
  }

  /// The question to ask now, if one is due.
  package mutating func nextQuestion(at now: BootTime) -> GeocoderQuestion? {
    guard !queue.isEmpty, nextAt.map({ now >= $0 }) ?? true else { return nil }
    nextAt = now + Self.interval
    return queue.removeFirst()
  }

  package var nextDeadline: BootTime? { queue.isEmpty ? nil : nextAt }

  package mutating func asking(_ question: GeocoderQuestion, as exchange: ExchangeID) {
    asked[exchange.number] = question
  }

  /// The question that exchange asked; nil when it was none of this.
  package func question(of exchange: ExchangeID) -> GeocoderQuestion? { asked[exchange.number] }

  /// Returns whether its trouble is news.
  package mutating func answered(_ exchange: ExchangeID, _ answer: GeocoderAnswer, at now: BootTime) -> Bool {
    guard let question = asked.removeValue(forKey: exchange.number) else { return false }
    let before = trouble
    switch answer {
    case .address(let words): remember(question, words)
    case .nothing: remember(question, nil)
    case .failed(let reason, let after):
      trouble = reason
      // The others would fail too, and whoever refuses is not to be pestered.
      queue = []
      let rest = min(max(after ?? .zero, Self.interval), Self.longestRest)
      nextAt = max(nextAt ?? now, now + rest)
      return before != reason
    }
    trouble = nil
    return before != nil
  }

  private mutating func remember(_ question: GeocoderQuestion, _ words: String?) {
    answers.append(Answer(spot: question.spot, language: question.language, words: words))
    if answers.count > Self.memory { answers.removeFirst() }
  }

  /// The list told the nearest place, or why it could not. Returns whether its trouble is news.
  package mutating func found(_ search: Int, _ result: Result<NearestPlace?, PlacesFile.Fault>) -> Bool {
    guard let spot = searching.removeValue(forKey: search) else { return false }
    let before = placesTrouble
    placesTrouble = settings.trouble(of: result)
    if case .success(let place) = result {
      finds.append(Find(spot: spot, place: place))
      if finds.count > Self.memory { finds.removeFirst() }
    }
    return before != placesTrouble
  }

  /// What is known of the place of that fix; nil when nothing is.
  package func address(of fix: Fix) -> Whereabouts? {
    let spot = Spot(fix)
    var address = Whereabouts(near: find(at: spot)?.place)
    for language in Language.allCases { address.words[language] = answer(at: spot, language)?.words }
    return address.isEmpty ? nil : address
  }

  /// Whether something better may yet come for that reader.
  package func isAwaited(_ fix: Fix, in language: Language) -> Bool {
    let spot = Spot(fix)
    if isAsking(spot, language) { return true }
    return answer(at: spot, language)?.words == nil && isSearching(spot)
  }

  private func isAsking(_ spot: Spot, _ language: Language) -> Bool {
    queue.contains { $0.language == language && isNear($0.spot, spot) }
      || asked.values.contains { $0.language == language && isNear($0.spot, spot) }
  }

  private func isSearching(_ spot: Spot) -> Bool { searching.values.contains { isNear($0, spot) } }

  private func answer(at spot: Spot, _ language: Language) -> Answer? {
    answers.last { $0.language == language && isNear($0.spot, spot) }
  }

  private func find(at spot: Spot) -> Find? { finds.last { isNear($0.spot, spot) } }

  private func isNear(_ known: Spot, _ spot: Spot) -> Bool { known.distance(to: spot) <= Self.around }
}

extension PlacesFile.Fault {
  /// After the file's name.
  package var sentence: String {
    switch self {
    case .unreadable: "cannot be read"
    case .foreign: "is no list of places of this version"
    case .damaged: "is damaged"
    }
  }
}
