import DaemonCore
import Testing

@Suite struct ControlRequestTests {
  @Test(arguments: [
    Command.status, .cancel, .press(drill: false, wait: nil), .press(drill: true, wait: .seconds(30)),
    .press(drill: false, wait: .zero), .testButton(for: .milliseconds(1500)), .alerts(id: nil),
    .alerts(id: "01J\n\"}"),
  ])
  func whatIsAskedIsUnderstood(_ command: Command) {
    let line = ControlRequest.encode(command)

    #expect(!line.contains("\n"))
    #expect(line.utf8.count < ControlRequest.lineLimit)
    #expect(ControlRequest.decode(Array(line.utf8)) == command)
  }

  /// A drill that is misspelt must not become an alert.
  @Test(arguments: [
    #"{"command":"press","drill":"yes"}"#, #"{"command":"press","dril":true}"#,
    #"{"command":"press","drill":true,"drill":false}"#, #"{"command":"press","wait":30}"#,
    #"{"command":"press","drill":null,"drill":true}"#, #"{"command":"press","drill":true,"drill":null}"#,
    #"{"command":"press","wait":"soon"}"#, #"{"command":"test-button","for":"11m"}"#,
    #"{"command":"test-button","for":5}"#, #"{"command":"alerts","id":7}"#,
    #"{"command":"status","json":true}"#,
    #"["press"]"#, #""press""#, "", "{}",
  ])
  func anythingElseIsRefused(_ line: String) {
    #expect(ControlRequest.decode(Array(line.utf8)) == nil)
  }
}

@Suite struct ControlAnswerTests {
  @Test func whatIsAnsweredIsUnderstood() {
    let answer = ControlAnswer(
      line: Array(#"{"text":"armed","json":{"a":1},"error":"no","exit":1,"more":0}"#.utf8))

    #expect(answer?.text == "armed" && answer?.json?["a"]?.integer == 1)
    #expect(answer?.error == "no" && answer?.exit == 1)
  }

  @Test(arguments: ["", "armed", "[]", #"{"text":"armed""#]) func anythingElseIsNoAnswer(_ line: String) {
    #expect(ControlAnswer(line: Array(line.utf8)) == nil)
  }
}
