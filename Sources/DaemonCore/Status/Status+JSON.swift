/// The status for scripts. Source: CONTRACT, `status --json`. Keys may be added, never change meaning.
extension Status {
  package var json: JSON {
    .fields([
      ("state", .string(state.rawValue)),
      ("problems", .array(problems.map { .string("\($0.cause) (\($0.remedy))") })),
      (
        "button",
        .fields([
          ("state", .string(button.state.rawValue)), ("line", button.line.map { .string($0) } ?? .null),
          ("seen", .bool(button.isSeen)),
        ])
      ),
      ("gps", gps.json),
      ("geocoder", geocoder?.json ?? .null),
      ("outbox", .fields([("pending", .integer(outbox.pending)), ("durable", .bool(outbox.isDurable))])),
      (
        "alerts",
        .array(
          alerts.map { alert in
            .fields([
              ("id", .string(alert.id)), ("kind", .string(alert.kind.rawValue)),
              ("state", .string(alert.state.rawValue)), ("age_s", .decimal(alert.age.inSeconds, 1)),
            ])
          })
      ),
      (
        "config",
        .fields([
          ("source", .string(source.rawValue)), ("warnings", .array(warnings.map { .string($0) })),
        ])
      ),
      ("clock_trusted", .bool(clock.trusted)),
      ("version", .string(version)),
    ])
  }
}

extension Status.Geocoder {
  var json: JSON {
    .fields([
      ("type", .string(service?.rawValue ?? "places")), ("trouble", trouble.map { .string($0) } ?? .null),
      ("places_trouble", placesTrouble.map { .string($0) } ?? .null),
    ])
  }
}

extension Status.Gps {
  var json: JSON {
    var fix: Fix?
    var age: Duration?
    if case .known(let known, let old, _) = position { (fix, age) = (known, old) }
    return .fields([
      ("state", .string(state.rawValue)),
      ("lat", fix.map { .decimal($0.latitude, 6) } ?? .null),
      ("lon", fix.map { .decimal($0.longitude, 6) } ?? .null),
      ("accuracy_m", fix?.accuracy.map { .decimal($0, 1) } ?? .null),
      ("age_s", age.map { .decimal($0.inSeconds, 1) } ?? .null),
      ("implausible", .bool(position == .implausible)),
      ("reports", .integer(reports)), ("rubbish", .integer(rubbish)),
    ])
  }
}
