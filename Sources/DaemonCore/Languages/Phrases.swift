/// Every sentence that a language needs. A further language is one more file that conforms.
///
/// `wearer` is nil where the owner gave no name. A sentence that stands on a line of its own ends with its
/// punctuation; the rest are parts of sentences and do not.
package protocol Phrases: Sendable {
  /// Stands for a wearer without a name where a sentence begins.
  var wearer: String { get }
  /// A fact that is not known.
  var unknown: Words { get }
  var addressUnknown: Words { get }
  var positionUnknown: Words { get }
  var positionImplausible: Words { get }

  func alert(wearer: String?) -> Words
  func pressedAgain(wearer: String?) -> Words
  func update(wearer: String?) -> Words
  /// The update that follows an alert that came late.
  func updateAfterLate(wearer: String?) -> Words
  func allClear(wearer: String?) -> Words
  func drillBegins(wearer: String?) -> Words
  var drillEnds: String { get }

  /// First line of an alert that leaves late; `at` is nil while the clock is not set.
  func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words
  /// An update or all-clear that leaves late.
  func lateUpdate(age: Words) -> Words

  func positionUnknownLine(implausible: Bool) -> Words
  /// What stands above the coordinates. `age` is nil for a position of this moment.
  func position(age: PositionAge, accuracy: Words) -> Words
  var deadReckoning: String { get }
  var simulated: String { get }
  /// The same in brackets after the coordinates, within a sentence.
  func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words

  func accuracy(metres: Double) -> Words
  var accuracyUnknown: Words { get }
  func seconds(_ count: Int64) -> Words
  func minutes(_ count: Int64) -> Words
  func hours(_ count: Int64) -> Words
  func days(_ count: Int64) -> Words

  func address(_ address: String) -> Words
  /// What stands between whole and tenths.
  var decimalSeparator: String { get }
  /// `distance` is `2.3 km`; from the place to the wearer. It begins a line or stands within brackets.
  func near(distance: Words, direction: CompassPoint, place: String) -> Words
  /// A share of a hundred, as the battery's charge.
  func percent(_ number: Int) -> Words
  func battery(percent: Words) -> Words

  /// When the button was pressed; `first` when it was pressed again since.
  func pressed(at: Words, first: Bool) -> Words
  /// The same while the clock is not set; `delay` is nil when it was only just now.
  func pressed(delay: Words?, first: Bool) -> Words
  /// `{time}` while the clock is not set.
  func timeUnknown(delay: Words?) -> Words
  /// A moment: time of day, time zone and date.
  func moment(_ local: CalendarParts) -> Words
}

/// How old a position is, in words.
package enum PositionAge: Hashable, Sendable {
  case now
  case past(Words)
  /// Older than the owner calls current; nil when no clock can tell how much.
  case lastKnown(Words?)
}
