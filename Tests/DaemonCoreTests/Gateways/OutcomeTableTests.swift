import Testing

@testable import DaemonCore

/// What each gateway reads in each documented answer of its service.
@Suite struct OutcomeTableTests {
  static let all = GatewayKind.allCases.flatMap { OutcomeTable.entries(for: $0) }

  @Test(arguments: all) func everyAnswerIsTakenForWhatItIs(_ entry: OutcomeTable.Entry) {
    for row in entry.rows {
      let step = Step(name: row.step, request: Request(method: "POST", url: "http://h"))
      let outcome = entry.gateway.outcome(of: row.response, to: step)
      #expect(OutcomeRow.Verdict(outcome) == row.verdict, "\(entry.kind) \(row.testDescription): \(outcome)")
      #expect(outcome.reason != "", "\(row.testDescription)")
    }
  }

  @Test(arguments: all) func everyTableIsComplete(_ entry: OutcomeTable.Entry) {
    let held = Set(entry.rows.map(\.kind))
    for kind in OutcomeRow.Kind.allCases {
      #expect(held.contains(kind) != (entry.absent[kind] != nil), "\(entry.kind): \(kind)")
    }
    #expect(entry.rows.allSatisfy { $0.source.utf8.count >= 8 }, "every row says where it is from")
  }
}
