import Testing

@testable import DaemonCore

/// What fuzzing found, each as the shortest way to it.
@Suite struct FuzzedTests {
  private static let client = ClientID(number: 1)

  /// A daemon that has its configuration; what the store holds it does not know yet.
  private static func early(_ config: Config = World.config()) -> Engine {
    var engine = Engine(identity: Engine.Identity(version: "0.0.0", bootID: "boot"))
    _ = feed(&engine, .clockRead(Sample.moment))
    _ = feed(&engine, .configRead(.good(config, text: "{}", warnings: [])))
    return engine
  }

  private static func feed(_ engine: inout Engine, _ event: Event, at milliseconds: Double = 0) -> [Action] {
    engine.handle(event, at: at(ms: milliseconds), entropy: Entropy(high: 1, low: 2))
  }

  /// Whoever went before the store was read was waited for until the end of the wait, and the alert kept with it.
  @Test func aPressIsMadeForACallerWhoHasGoneAndNobodyIsWaitedFor() {
    var engine = Self.early()
    _ = Self.feed(&engine, .commanded(Self.client, .press(drill: false, wait: .seconds(3600))))
    _ = Self.feed(&engine, .clientGone(Self.client), at: 1)

    let actions =
      Self.feed(&engine, .storeLoaded(StoredState()), at: 2) + Self.feed(&engine, .deadline, at: 600)

    #expect(engine.book.current != nil)
    #expect(engine.pressWaits.isEmpty)
    let ends = actions.compactMap { action in
      if case .reply(Self.client, _, let last) = action { last } else { nil }
    }
    #expect(ends == [true])
  }

  /// A message that expires in the very pass in which it no longer waits for the disk left a deadline that was over.
  @Test func whatExpiresWhileTheDiskIsSilentIsNotDueAgain() {
    var config = World.config()
    config.delivery.expire = .seconds(300)
    var engine = Self.early(config)
    _ = Self.feed(&engine, .storeLoaded(StoredState()))
    _ = Self.feed(&engine, .commanded(Self.client, .press(drill: false, wait: nil)))

    _ = Self.feed(&engine, .deadline, at: 300_000)

    #expect(engine.nextDeadline.map { $0 > at(ms: 300_000) } ?? true)
  }

  /// libcurl is given no header with a control character, so an id that the disk spoilt would have stopped the message.
  @Test func anIdThatTheDiskSpoiltStopsNoMessage() {
    var message = Sample.message()
    message.composition.alertID = "01J\u{7F}M\n8"

    #expect(message.idempotencyKey == "01JM 8/\(message.contactID)/\(message.sequence)")
  }

  /// A sequence at the end of what a number holds ended the daemon with the next message to that contact.
  @Test func aSequenceThatTheDiskSpoiltIsNotCountedOn() throws {
    var engine = Self.early()
    _ = Self.feed(&engine, .storeLoaded(StoredState()))
    _ = Self.feed(&engine, .commanded(Self.client, .press(drill: false, wait: nil)))
    let delivery = try #require(engine.outbox.pending.first)
    let document = delivery.document(identity: engine.identity, now: engine.now)
    let spoilt = document.replacing(#""sequence":0"#, by: #""sequence":9223372036854775807"#)

    let (identity, now, book) = (engine.identity, engine.now, engine.book)
    #expect(Delivery(document: document, identity: identity, now: now, book: book) != nil)
    #expect(Delivery(document: spoilt, identity: identity, now: now, book: book) == nil)
  }

  @Test func anAddressThatIsCutAtASpaceEndsBeforeIt() {
    let words = String(repeating: "a", count: 119) + " " + String(repeating: "b", count: 50)
    let question = GeocoderQuestion(
      spot: Spot(latitude: 0, longitude: 0), accuracy: nil, language: .english)

    let answer = GeocoderAnswer(
      Sample.answer(200, #"{"display_name":"\#(words)"}"#), to: question, from: .nominatim)

    #expect(answer == .address(String(repeating: "a", count: 119)))
  }
}
