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
    #"{"command":"press","wait":"soon"}"#, #"{"command":"test-button","for":"11m"}"#,
    #"{"command":"test-button","for":5}"#, #"{"command":"alerts","id":7}"#,
    #"{"command":"status","json":true}"#,
    #"["press"]"#, #""press""#, "", "{}",
  ])
  func anythingElseIsRefused(_ line: String) {
    #expect(ControlRequest.decode(Array(line.utf8)) == nil)
  }
}
