import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct ControlSocketTests {
  private static let status = ControlRequest.encode(.status) + "\n"

  private func asker(_ events: [Event]) -> ClientID? {
    for case .commanded(let client, .status) in events { return client }
    return nil
  }

  private func gone(_ events: [Event]) -> [ClientID] {
    events.compactMap { event in
      if case .clientGone(let client) = event { client } else { nil }
    }
  }

  @Test func aRequestIsHeardAndItsAnswerEndsTheConversation() throws {
    let bench = try ControlBench()
    let client = try TestClient(bench.path)

    client.say(Self.status)
    let id = try #require(asker(bench.settle()))
    bench.socket.reply(id, "{\"text\":\"one\"}", last: false)
    bench.socket.reply(id, "{\"text\":\"two\"}", last: true)

    let (text, isOver) = client.heard()
    #expect(text == "{\"text\":\"one\"}\n{\"text\":\"two\"}\n")
    #expect(isOver)
    #expect(bench.socket.descriptors.count == 1)
  }

  @Test func aRequestMayComeInPieces() throws {
    let bench = try ControlBench()
    let client = try TestClient(bench.path)

    for character in Self.status.dropLast() {
      client.say(String(character))
      #expect(bench.settle().isEmpty)
    }
    client.say("\n")

    #expect(asker(bench.settle()) != nil)
  }

  @Test func aMegabyteOnOneLineIsRefusedAndNotKept() throws {
    let bench = try ControlBench()
    let client = try TestClient(bench.path)
    let piece = String(repeating: "x", count: 4096)

    var sent = 0
    for _ in 0..<256 {
      sent += max(0, client.say(piece))
      #expect(asker(bench.settle()) == nil)
    }

    #expect(sent < 1 << 20)
    #expect(client.heard().text.contains("too long"))
  }

  @Test(arguments: ["\n", "no JSON\n", "{\"command\":\"launch\"}\n", "\u{0}\u{1}\n"])
  func nonsenseIsAnsweredWithAnError(_ line: String) throws {
    let bench = try ControlBench()
    let client = try TestClient(bench.path)

    client.say(line)

    #expect(bench.settle().isEmpty)
    #expect(client.heard().text.contains("\"error\""))
    #expect(client.heard().isOver)
  }

  @Test func idleAndSlowClientsDoNotDisturbAGoodOne() throws {
    let bench = try ControlBench()
    let slow = try TestClient(bench.path)
    var idle: [TestClient] = []
    for _ in 0..<64 {
      idle.append(try TestClient(bench.path))
      slow.say("x")
      bench.pass()
    }
    let before = bench.passes

    let good = try TestClient(bench.path)
    good.say(Self.status)
    var id: ClientID?
    while id == nil, bench.passes < before + 5 { id = asker(bench.pass()) }

    #expect(id != nil)
    #expect(bench.socket.descriptors.count <= 33)
  }

  @Test func whoHasAskedKeepsThePlaceBeforeWhoIsIdle() throws {
    let bench = try ControlBench()
    let patient = try TestClient(bench.path)
    patient.say(Self.status)
    let id = try #require(asker(bench.settle()))

    var idle: [TestClient] = []
    var events: [Event] = []
    for _ in 0..<64 {
      idle.append(try TestClient(bench.path))
      events += bench.settle()
    }

    #expect(gone(events).isEmpty)
    bench.socket.reply(id, "{}", last: true)
    #expect(patient.heard().text == "{}\n")
  }

  @Test func aReaderThatDoesNotReadIsGivenUpAndTheEngineHearsOfIt() throws {
    let bench = try ControlBench()
    let client = try TestClient(bench.path)
    client.say(Self.status)
    let id = try #require(asker(bench.settle()))
    let line = String(repeating: "x", count: 1 << 20)

    for _ in 0..<32 { bench.socket.reply(id, line, last: false) }

    #expect(gone(bench.settle()) == [id])
    #expect(bench.socket.descriptors.count == 1)
  }

  @Test func theEngineHearsOfAClientThatLeavesBetweenTwoAnswers() throws {
    let bench = try ControlBench()
    var client: TestClient? = try TestClient(bench.path)
    client?.say(Self.status)
    let id = try #require(asker(bench.settle()))

    client = nil
    bench.socket.reply(id, "{\"text\":\"pressed\"}", last: false)

    #expect(gone(bench.settle()) == [id])
  }

  @Test func whoLeavesWithoutAskingIsNoNews() throws {
    let bench = try ControlBench()
    var client: TestClient? = try TestClient(bench.path)
    client?.say("half a li")
    _ = bench.settle()

    client = nil

    #expect(gone(bench.settle()).isEmpty)
    #expect(bench.socket.descriptors.count == 1)
  }

  @Test func theSocketIsForItsOwnerAndGroup() throws {
    let bench = try ControlBench()

    #expect(bench.scratch.mode("control.sock") == 0o660)
  }

  @Test func theGroupPassesThroughADirectoryOfOurOwnMaking() throws {
    let scratch = try Scratch()
    _ = try ControlSocket(path: scratch.path + "/run/control.sock")

    #expect(scratch.mode("run") == 0o755)
    #expect(throws: SystemError.self) { _ = try ControlSocket(path: scratch.path + "/a/b/control.sock") }
  }

  @Test func aStrangerIsToldWhy() throws {
    let bench = try ControlBench()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bench.scratch.path)

    let result = try Program.run(["status", "--runtime-directory", bench.scratch.path], as: 65_534)

    #expect(result.status == 1)
    #expect(result.output == "")
    #expect(result.errors.contains("only root and members of the group soteria"))
  }

  @Test func aSocketLeftBehindIsReplacedAndALivingOneIsNot() throws {
    let scratch = try Scratch()
    let path = scratch.path + "/control.sock"
    do { _ = try ControlSocket(path: path) }
    #expect(scratch.names == ["control.sock"])

    let second = try ControlSocket(path: path)

    #expect(throws: SystemError.self) { _ = try ControlSocket(path: path) }
    second.remove()
    #expect(scratch.names == [])
  }

  @Test func whatIsNoSocketIsNotTakenAway() throws {
    let scratch = try Scratch()
    try scratch.put([1], "control.sock")

    #expect(throws: SystemError.self) { _ = try ControlSocket(path: scratch.path + "/control.sock") }
    #expect(scratch.bytes("control.sock") == [1])
  }
}
