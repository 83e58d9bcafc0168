/// Past and present alerts as the store's documents tell them. Source: CONTRACT, `alerts --json`.
package struct History: Sendable {
  private var alerts: [(id: String, record: JSON)] = []
  private var deliveries: [String: [JSON]] = [:]

  /// Documents in any order; of several with the same key the last one counts. Unreadable ones are left out.
  package init(alerts alertDocuments: [String], deliveries deliveryDocuments: [String]) {
    var latest: [String: JSON] = [:]
    for document in alertDocuments {
      guard let record = JSON(parsing: document), let id = record["id"]?.string else { continue }
      latest[id] = record
    }
    alerts = latest.map { (id: $0.key, record: $0.value) }.sorted { Self.isNewer($0.record, $1.record) }
    var rows: [String: [String: JSON]] = [:]
    for document in deliveryDocuments {
      guard let record = JSON(parsing: document), let id = record["alert"]?.string,
        let contact = record["contact"]?["id"]?.string, let sequence = record["sequence"]?.integer
      else { continue }
      rows[id, default: [:]]["\(padded(sequence, to: 8))/\(contact)"] = record
    }
    deliveries = rows.mapValues { table in table.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// What is wrong where the alert `id` was asked for; nil when it is here, or all were.
  package func complaint(about id: String?) -> String? {
    guard let id, alerts.isEmpty else { return nil }
    return "there is no alert \(id); 'soteriad alerts' lists them"
  }

  package var json: JSON {
    .array(
      alerts.map { alert in
        .fields([
          ("id", .string(alert.id)), ("kind", alert.record["kind"] ?? .null),
          ("state", alert.record["state"] ?? .null),
          ("pressed_at", WallTime(record: alert.record["pressed_at"]).map { .string($0.utcText) } ?? .null),
          ("clock_trusted", alert.record["pressed_at"]?["trusted"] ?? .null),
          ("deliveries", .array((deliveries[alert.id] ?? []).map(Self.row))),
        ])
      })
  }

  package var text: String {
    guard !alerts.isEmpty else { return "no alerts" }
    return alerts.map { alert in
      let moment = WallTime(record: alert.record["pressed_at"])
      let when =
        moment.map { $0.utcText + ($0.trusted ? "" : " (clock was not set)") } ?? "at an unknown time"
      let head =
        "\(alert.id) \(alert.record["kind"]?.string ?? "alert") \(alert.record["state"]?.string ?? "") \(when)"
      return ([head] + (deliveries[alert.id] ?? []).map(Self.line)).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private static func row(_ record: JSON) -> JSON {
    .fields([
      ("contact", record["contact"]?["name"] ?? .null), ("kind", record["kind"] ?? .null),
      ("sequence", record["sequence"] ?? .null), ("route", record["route"] ?? .null),
      ("state", record["state"] ?? .null), ("attempts", record["attempts"] ?? .null),
      ("last_error", record["last_error"] ?? .null),
    ])
  }

  private static func line(_ record: JSON) -> String {
    let name = record["contact"]?["name"]?.string ?? "?"
    let by = record["route"]?.string.map { " by \($0)" } ?? ""
    let trouble = record["last_error"]?.string.map { "; last error: \($0)" } ?? ""
    return "  \(name): \(record["kind"]?.string ?? "?") \(record["sequence"]?.integer ?? 0) "
      + "\(record["state"]?.string ?? "?")\(by), tries \(record["attempts"]?.integer ?? 0)\(trouble)"
  }

  private static func isNewer(_ left: JSON, _ right: JSON) -> Bool {
    let (one, other) = (left["pressed_at"]?["ms"]?.integer ?? 0, right["pressed_at"]?["ms"]?.integer ?? 0)
    return one != other ? one > other : (left["id"]?.string ?? "") > (right["id"]?.string ?? "")
  }
}
