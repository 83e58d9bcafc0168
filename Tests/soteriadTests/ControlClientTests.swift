import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// What a user sees and a script gets, by what the daemon answers.
@Suite struct ControlClientTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var arguments: [String]
    var answers: [String]
    var status: Int32
    var output: String
    var complains = false
    var testDescription: String { name }

    static let all = [
      Case(
        name: "status", arguments: ["status"], answers: [#"{"text":"armed","json":{"a":1}}"#], status: 0,
        output: "armed\n"),
      Case(
        name: "status as JSON", arguments: ["status", "--json"],
        answers: [#"{"text":"armed","json":{"a":1}}"#], status: 0, output: "{\n  \"a\": 1\n}\n"),
      Case(
        name: "a refusal", arguments: ["cancel"], answers: [#"{"error":"no alert is open"}"#], status: 1,
        output: "", complains: true),
      Case(name: "a press", arguments: ["press"], answers: [#"{"text":"01J"}"#], status: 0, output: "01J\n"),
      Case(
        name: "a press that everyone has", arguments: ["press", "--wait", "9s"],
        answers: [#"{"text":"01J"}"#, #"{"exit":0}"#], status: 0, output: "01J\n"),
      Case(
        name: "a press that not everyone has", arguments: ["press", "--wait", "9s"],
        answers: [#"{"text":"01J"}"#, #"{"text":"not everyone has it","exit":1}"#], status: 1,
        output: "01J\n", complains: true),
      Case(
        name: "a daemon that ends before it knows", arguments: ["press", "--wait", "9s"],
        answers: [#"{"text":"01J"}"#], status: 1, output: "01J\n", complains: true),
      Case(
        name: "an alert that is not there", arguments: ["alerts", "--json", "A"],
        answers: [#"{"text":"there is no alert A","json":[],"exit":1}"#], status: 1, output: "[]\n",
        complains: true),
      Case(
        name: "a button test", arguments: ["test-button"],
        answers: [#"{"text":"pressed"}"#, #"{"text":"1 press seen","exit":0}"#], status: 0,
        output: "pressed\n1 press seen\n"),
      Case(
        name: "no JSON", arguments: ["status"], answers: ["what?"], status: 1, output: "", complains: true),
    ]
  }

  @Test(arguments: Case.all)
  func answersBecomeOutputAndExitStatus(_ expected: Case) throws {
    let result = try ControlBench().answer(expected.arguments, with: expected.answers)

    #expect(result.status == expected.status)
    #expect(result.output == expected.output)
    #expect(result.errors.isEmpty == !expected.complains)
  }

  @Test func withoutADaemonItSaysSo() throws {
    let scratch = try Scratch()

    for command in ["status", "press", "cancel", "test-button"] {
      let result = try Program.run([command, "--runtime-directory", scratch.path])
      #expect(result.status == 1)
      #expect(result.errors.contains("the daemon does not run"))
    }
  }

  @Test func withoutADaemonTheStoreTellsOfAlerts() throws {
    let (state, runtime) = (try Scratch(), try Scratch())
    let bench = try StoreBench(state, runtime)
    let document =
      #"{"version":1,"id":"01J","kind":"alert","state":"open","pressed_at":{"ms":0,"offset":0,"trusted":true}}"#
    _ = bench.put(1, [.alert(id: "01J", ended: false, pressedAt: 0, document: document)])
    bench.stop()
    let places = ["--state-directory", state.path, "--runtime-directory", runtime.path]

    let text = try Program.run(["alerts"] + places)
    let json = try Program.run(["alerts", "--json", "01J"] + places)
    let none = try Program.run(["alerts", "nobody"] + places)

    #expect(text.status == 0 && text.output.contains("01J alert open 1970-01-01T00:00:00Z"))
    #expect(json.status == 0 && json.output.contains("\"id\": \"01J\""))
    let noneAsJSON = try Program.run(["alerts", "--json", "nobody"] + places)
    #expect(none.status == 1 && none.output == "" && none.errors.contains("there is no alert nobody"))
    #expect(noneAsJSON.status == 1 && noneAsJSON.output == "[]\n" && !noneAsJSON.errors.isEmpty)
  }

  struct Usage: CustomTestStringConvertible, Sendable {
    var arguments: [String]
    var status: Int32
    var testDescription: String { arguments.joined(separator: " ") }

    static let all: [Usage] = [
      Usage(arguments: ["--version"], status: 0), Usage(arguments: ["--help"], status: 0),
      Usage(arguments: ["-h"], status: 0), Usage(arguments: ["press", "--help"], status: 0),
      Usage(arguments: ["schema"], status: 0), Usage(arguments: ["launch"], status: 2),
      Usage(arguments: ["--launch"], status: 2), Usage(arguments: ["status", "--drill"], status: 2),
      Usage(arguments: ["status", "now"], status: 2), Usage(arguments: ["press", "--wait"], status: 2),
      Usage(arguments: ["press", "--wait", "soon"], status: 2),
      Usage(arguments: ["press", "--wait=-1s"], status: 2),
      Usage(arguments: ["press", "--drill=yes"], status: 2),
      Usage(arguments: ["test-button", "--for", "11m"], status: 2),
      Usage(arguments: ["alerts", "A", "B"], status: 2), Usage(arguments: ["check", "--config"], status: 2),
      Usage(arguments: ["check", "--config="], status: 2), Usage(arguments: ["schema", "--json"], status: 2),
      Usage(arguments: ["check", "--config", "/nonexistent.json"], status: 78),
      Usage(arguments: ["run", "--online"], status: 2), Usage(arguments: ["run", "fast"], status: 2),
      Usage(arguments: ["cancel", "--json"], status: 2),
    ]
  }

  @Test func aResultThatCannotBeWrittenIsAFailure() throws {
    let script = #"exec "$0" schema > /dev/full"#
    let result = try Program.run(["-c", script, Program.path], program: "/bin/bash")

    #expect(result.status == 1)
    #expect(result.errors.contains("No space left on device"))
  }

  /// What is opened next would take the place of a closed stdout, and be written into.
  @Test func aClosedStdoutStaysNothing() throws {
    let result = try Program.run(["-c", #"exec "$0" schema >&-"#, Program.path], program: "/bin/bash")

    #expect(result.status == 0)
    #expect(result.errors == "")
  }

  @Test(arguments: Usage.all)
  func usageHasItsExitStatus(_ usage: Usage) throws {
    let result = try Program.run(usage.arguments)

    #expect(result.status == usage.status)
    #expect(result.output.isEmpty == (usage.status == 2))
    #expect(result.errors.isEmpty == (usage.status != 2))
  }
}
