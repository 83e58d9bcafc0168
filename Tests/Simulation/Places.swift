import DaemonCore

/// Who knows addresses, and how badly they may answer.
enum Places {
  static let settings: GeocoderSettings = {
    var settings = GeocoderSettings()
    settings.service = .nominatim
    settings.url = "https://geocoder"
    return settings
  }()

  static func answer(_ dice: inout Dice) -> Answer {
    let soon = dice.within(40...900)
    return switch dice.within(1...8) {
    case 1: Answer(.timedOut, after: nil)
    case 2: Answer(200, #"{"error":"Unable to geocode"}"#, after: soon)
    case 3: Answer(403, "<html>who are you?</html>", after: soon)
    case 4: Answer(429, "{}", headers: [Header("retry-after", "600")], after: soon)
    case 5: Answer(200, "[null", after: soon)
    case 6: Answer(200, #"{"display_name":"Jalan Melati 5"}"#, after: dice.within(1500...20_000))
    default: Answer(200, #"{"display_name":"Jalan Melati 5"}"#, after: soon)
    }
  }

  /// nil where the disk never answers; the milliseconds it takes.
  static func find(_ dice: inout Dice) -> (Result<NearestPlace?, PlacesFile.Fault>, Int)? {
    let bogor = NearestPlace(
      name: "Bogor", country: [.english: "Indonesia"], distance: 2300, direction: .north)
    return switch dice.within(1...10) {
    case 1: nil
    case 2: (.failure(dice.pick([.unreadable, .foreign, .damaged])), dice.within(1...50))
    case 3: (.success(bogor), dice.within(100...9000))
    default: (.success(bogor), dice.within(1...20))
    }
  }
}
