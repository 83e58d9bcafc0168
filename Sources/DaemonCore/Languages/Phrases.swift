/// Every sentence that a language needs. A further language is one more file that conforms.
///
/// `wearer` is nil where the owner gave no name. A sentence that stands on a line of its own ends with its
/// punctuation; the rest are parts of sentences and do not.
package protocol Phrases: Sendable {
  /// Stands for a wearer without a name where a sentence begins.
  var wearer: String { get }
  /// A fact that is not known.
  var unknown: String { get }
  var addressUnknown: String { get }
  var positionUnknown: String { get }
  var positionImplausible: String { get }

  func alert(wearer: String?) -> String
  func pressedAgain(wearer: String?) -> String
  func update(wearer: String?) -> String
  /// The update that follows an alert that came late.
  func updateAfterLate(wearer: String?) -> String
  func allClear(wearer: String?) -> String
  func drillBegins(wearer: String?) -> String
  var drillEnds: String { get }

  /// First line of an alert that leaves late; `at` is nil while the clock is not set.
  func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String
  /// An update or all-clear that leaves late.
  func lateUpdate(age: String) -> String

  func positionUnknownLine(implausible: Bool) -> String
  /// What stands above the coordinates. `age` is nil for a position of this moment.
  func position(age: PositionAge, accuracy: String) -> String
  var deadReckoning: String { get }
  var simulated: String { get }
  /// The same in brackets after the coordinates, within a sentence.
  func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String

  /// `distance` is `4 m` or `2 km`.
  func accuracy(_ distance: String) -> String
  var accuracyUnknown: String { get }
  func seconds(_ count: Int64) -> String
  func minutes(_ count: Int64) -> String
  func hours(_ count: Int64) -> String
  func days(_ count: Int64) -> String

  func address(_ address: String) -> String
  /// What stands between whole and tenths.
  var decimalSeparator: String { get }
  /// `distance` is `2.3 km`; from the place to the wearer. It begins a line or stands within brackets.
  func near(distance: String, direction: CompassPoint, place: String) -> String
  /// A share of a hundred, as the battery's charge.
  func percent(_ number: Int) -> String
  func battery(percent: String) -> String

  /// When the button was pressed; `first` when it was pressed again since.
  func pressed(at: String, first: Bool) -> String
  /// The same while the clock is not set; `delay` is nil when it was only just now.
  func pressed(delay: String?, first: Bool) -> String
  /// `{time}` while the clock is not set.
  func timeUnknown(delay: String?) -> String
  /// A moment: time of day, time zone and date.
  func moment(_ local: CalendarParts, zone: String) -> String
}

/// How old a position is, in words.
package enum PositionAge: Hashable, Sendable {
  case now
  case past(String)
  /// Older than the owner calls current; nil when no clock can tell how much.
  case lastKnown(String?)
}
