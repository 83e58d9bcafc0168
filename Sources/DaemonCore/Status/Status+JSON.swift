/// The status for scripts. Source: CONTRACT, `status --json`. Keys may be added, never change meaning.
extension Status {
  package var json: JSON {
    .object([
      ("state", .string(state.rawValue)),
      ("problems", .array(problems.map { .string("\($0.cause) (\($0.remedy))") })),
      (
        "button",
        .object([
          ("state", .string(button.state.rawValue)), ("line", button.line.map { .string($0) } ?? .null),
          ("seen", .bool(button.isSeen)),
        ])
      ),
      ("gps", gps.json),
      ("outbox", .object([("pending", .integer(outbox.pending)), ("durable", .bool(outbox.isDurable))])),
      (
        "alerts",
        .array(
          alerts.map { alert in
            .object([
              ("id", .string(alert.id)), ("kind", .string(alert.kind.rawValue)),
              ("state", .string(alert.state.rawValue)), ("age_s", .fixed(alert.age.inSeconds, decimals: 1)),
            ])
          })
      ),
      (
        "config",
        .object([
          ("source", .string(source.rawValue)), ("warnings", .array(warnings.map { .string($0) })),
        ])
      ),
      ("clock_trusted", .bool(clock.trusted)),
      ("version", .string(version)),
    ])
  }
}

extension Status.Gps {
  var json: JSON {
    var fix: Fix?
    var age: Duration?
    if case .known(let known, let old, _) = position { (fix, age) = (known, old) }
    return .object([
      ("state", .string(state.rawValue)),
      ("lat", fix.map { .fixed($0.latitude, decimals: 6) } ?? .null),
      ("lon", fix.map { .fixed($0.longitude, decimals: 6) } ?? .null),
      ("accuracy_m", fix?.accuracy.map { .fixed($0, decimals: 1) } ?? .null),
      ("age_s", age.map { .fixed($0.inSeconds, decimals: 1) } ?? .null),
      ("implausible", .bool(position == .implausible)),
      ("reports", .integer(reports)), ("rubbish", .integer(rubbish)),
    ])
  }
}
