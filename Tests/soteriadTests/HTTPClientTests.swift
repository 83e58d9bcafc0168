import CCurl
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct HTTPClientTests {
  private typealias Result = Swift.Result<Response, TransportFailure>

  /// A client and a server that the test plays, both on the test's thread.
  private final class Play {
    let scratch: Scratch
    let http: HTTPClient
    let server: LoopbackServer
    /// What each connection has sent so far.
    private(set) var received: [String] = []
    private var peers: [LoopbackServer.Peer] = []
    private var number = 0

    init() throws {
      scratch = try Scratch()
      http = try #require(HTTPClient(bundlesIn: scratch.path))
      server = try LoopbackServer()
    }

    var url: String { "http://127.0.0.1:\(server.port)/path?key=secret" }

    /// Runs one request to its end; `answer` is called when a connection has sent a whole request.
    func run(
      _ request: Request, timeout: Duration = .seconds(20), answer: (LoopbackServer.Peer) -> Void
    ) throws -> Result {
      number += 1
      http.start(ExchangeID(number: number), request, timeout: timeout, caFile: nil)
      for _ in 0..<10_000 {
        var entries = ([server.listener] + peers.map(\.descriptor)).map {
          sot_poll_entry(fd: $0, wants_write: false, ready: false)
        }
        http.wait(for: &entries, limit: .seconds(20))
        for (id, result) in http.perform() where id.number == number { return result }
        if entries[0].ready {
          peers.append(try server.accept())
          received.append("")
        }
        for (index, entry) in entries.dropFirst().enumerated()
        where entry.ready && peers.indices.contains(index) {
          let text = peers[index].receive()
          received[index] += text
          if text.isEmpty {
            peers.remove(at: index)
            received.remove(at: index)
            break
          }
          if text.hasSuffix("\r\n\r\n") || text.hasSuffix("END") { answer(peers[index]) }
        }
      }
      throw SystemError("no end")
    }

    /// Ends the connections, in whatever way was set.
    func hangUp() {
      peers = []
      received = []
    }
  }

  private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  @Test func sendsTheRequestAsItStands() throws {
    let play = try Play()
    let request = Request(
      method: "PUT", url: play.url, headers: [Header("X-Empty", ""), Header("X-Text", "José 🆘")],
      body: Array("a\u{0}b+&=END".utf8))

    _ = try play.run(request) { $0.send(Self.fine) }

    #expect(
      play.received == [
        "PUT /path?key=secret HTTP/1.1\r\nHost: 127.0.0.1:\(play.server.port)\r\n"
          + "User-Agent: soteriad/\(soteriadVersion)\r\nAccept: */*\r\nX-Empty:\r\nX-Text: José 🆘\r\n"
          + "Content-Length: 9\r\n\r\na\u{0}b+&=END"
      ])
  }

  /// The handle of one that went well serves the next one too.
  @Test func nothingOfAMessageStaysInTheNext() throws {
    let play = try Play()
    let headers = [Header("Content-Type", "text/plain"), Header("X-Text", "first")]
    let first = Request(method: "POST", url: play.url, headers: headers, body: Array("a long one END".utf8))
    let second = Request(method: "POST", url: play.url + "&b", body: Array("END".utf8))

    for request in [first, second] { _ = try play.run(request) { $0.send(Self.fine) } }
    let answer = try play.run(second, timeout: .milliseconds(50)) { _ in }

    let start = "POST /path?key=secret&b HTTP/1.1\r\nHost: 127.0.0.1:\(play.server.port)\r\n"
    let rest = "User-Agent: soteriad/\(soteriadVersion)\r\nAccept: */*\r\nContent-Length: 3\r\n\r\nEND"
    #expect(play.received.first?.hasSuffix("a long one END" + start + rest + start + rest) == true)
    guard case .failure(let failure) = answer else { throw SystemError("no failure") }
    #expect(failure.kind == .timedOut)
  }

  @Test func nothingOfAServerStaysInTheNext() throws {
    let play = try Play()
    let body = Array("END".utf8)
    let known = Request(
      method: "POST", url: "http://ayu:secret@127.0.0.1:\(play.server.port)/", body: body)
    let unknown = Request(method: "POST", url: play.url, body: body)

    _ = try play.run(known) { $0.send("HTTP/1.0 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=b\r\n\r\nok") }
    #expect(play.received.first?.contains("\r\nAuthorization: Basic ") == true)
    play.hangUp()
    let answer = try play.run(unknown) { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }

    #expect(play.received.first?.hasPrefix("POST /path?key=secret HTTP/1.1\r\n") == true)
    #expect(play.received.first?.contains("Authorization") == false)
    #expect(play.received.first?.contains("Cookie") == false)
    #expect(try answer.get().body.isEmpty)
    #expect(try answer.get().headers.count == 1)
  }

  /// libcurl sends again five times at most, and counts that for each handle, not for each request.
  @Test func connectionsThatDieUnderARequestDoNotAddUp() throws {
    let play = try Play()
    let request = Request(method: "POST", url: play.url, body: Array("END".utf8))
    _ = try play.run(request) { $0.send(Self.fine) }

    for _ in 0..<7 {
      var isDying = true
      let answer = try play.run(request) { peer in
        if isDying { peer.end() } else { peer.send(Self.fine) }
        isDying = false
      }
      #expect(try answer.get().status == 200)
    }
  }

  @Test func sendsAnEmptyPostAndItsOwnAgent() throws {
    let play = try Play()

    _ = try play.run(Request(method: "POST", url: play.url, headers: [Header("User-Agent", "other")])) {
      $0.send(Self.fine)
    }

    #expect(play.received.first?.hasPrefix("POST ") == true)
    #expect(play.received.first?.contains("\r\nUser-Agent: other\r\n") == true)
    #expect(play.received.first?.contains("\r\nContent-Length: 0\r\n") == true)
    #expect(play.received.first?.contains("Content-Type") == false)
  }

  @Test func readsHeadersOfTheFinalAnswer() throws {
    let play = try Play()

    let result = try play.run(Request(method: "GET", url: play.url)) {
      $0.send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
      $0.send("HTTP/1.1 429 Slow\r\nRetry-After:  7 \t\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n")
    }

    let response = try result.get()
    #expect(response.status == 429)
    #expect(response.header("retry-after") == "7")
    #expect(response.header("link") == nil)
    #expect(response.body.isEmpty && !response.truncated)
  }

  @Test func endsAHeadRequestWithItsHeaders() throws {
    let play = try Play()

    let result = try play.run(Request(method: "HEAD", url: play.url)) {
      $0.send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")
    }

    #expect(try result.get().status == 200)
  }

  @Test func followsNoRedirect() throws {
    let play = try Play()

    let result = try play.run(Request(method: "POST", url: play.url, body: Array("END".utf8))) {
      $0.send("HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    }

    #expect(try result.get().status == 301)
    #expect(try result.get().header("location") == "http://127.0.0.1:1/")
  }

  @Test func readsNoMoreThanTheLimitOfAnEndlessBody() throws {
    let play = try Play()

    let result = try play.run(Request(method: "GET", url: play.url)) { peer in
      peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<20 { peer.send("1000\r\n" + String(repeating: "x", count: 4096) + "\r\n") }
    }

    let response = try result.get()
    #expect(response.status == 200)
    #expect(response.truncated)
    #expect(response.body.count == Response.bodyLimit)
  }

  @Test func refusesHeadersWithoutEnd() throws {
    let play = try Play()

    let result = try play.run(Request(method: "GET", url: play.url)) { peer in
      peer.send("HTTP/1.1 200 OK\r\n")
      for number in 0..<40 { peer.send("X-\(number): " + String(repeating: "x", count: 1000) + "\r\n") }
    }

    #expect(throws: TransportFailure.self) { try result.get() }
  }

  @Test func keepsTheConnection() throws {
    let play = try Play()

    for _ in 0..<3 { _ = try play.run(Request(method: "GET", url: play.url)) { $0.send(Self.fine) } }

    #expect(play.received.count == 1)
  }

  /// As a server leaves it that restarts, or a router that forgets.
  @Test(arguments: [false, true]) func aKeptConnectionThatHasDiedCostsNoTry(byReset: Bool) throws {
    let play = try Play()
    let request = Request(method: "POST", url: play.url, body: Array("helpEND".utf8))
    _ = try play.run(request) { $0.send(Self.fine) }
    var isFirst = true

    let result = try play.run(request) { peer in
      guard isFirst else { return peer.send(Self.fine) }
      isFirst = false
      if byReset { peer.resetWhenClosed() }
      play.hangUp()
    }

    #expect(try result.get().status == 200)
    #expect(play.received.first?.hasSuffix("\r\n\r\nhelpEND") == true)
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: TransportFailure.Kind
    let answer: String
    var timeout = Duration.seconds(20)
    var isReset = false

    static let all = [
      Ending(testDescription: "silence", kind: .timedOut, answer: "", timeout: .milliseconds(50)),
      Ending(
        testDescription: "half a header", kind: .timedOut, answer: "HTTP/1.1 200 OK\r\nX-",
        timeout: .milliseconds(50)),
      Ending(
        testDescription: "a body that stops", kind: .timedOut,
        answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", timeout: .milliseconds(50)),
      Ending(testDescription: "no HTTP", kind: .broken, answer: "220 mail.example ESMTP\r\n", isReset: true),
      Ending(
        testDescription: "a reset within the body", kind: .broken,
        answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", isReset: true),
    ]
  }

  @Test(arguments: Ending.all) func tellsHowItFailed(_ ending: Ending) throws {
    let play = try Play()
    let request = Request(method: "POST", url: play.url, body: Array("END".utf8))

    let result = try play.run(request, timeout: ending.timeout) { peer in
      peer.send(ending.answer)
      if ending.isReset {
        peer.resetWhenClosed()
        play.hangUp()
      }
    }

    guard case .failure(let failure) = result else { throw SystemError("no failure") }
    #expect(failure.kind == ending.kind, "\(failure)")
    #expect(!failure.description.contains("secret"))
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\nX-Slow: ", "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"])
  func givesADrippingAnswerNoMoreTimeThanASilentOne(beginning: String) throws {
    let scratch = try Scratch()
    let http = try #require(HTTPClient(bundlesIn: scratch.path))
    let server = try TCPServer { connection, _ in
      TCPServer.sendAll(Array(beginning.utf8), to: connection)
      // 9 s of bytes, never 20 ms without one: the client is long gone by then.
      for _ in 0..<900 where TCPServer.sendAll(Array("x".utf8), to: connection) { poll(nil, 0, 10) }
    }
    let started = Clocks.now
    http.start(
      ExchangeID(number: 1), Request(method: "GET", url: "http://127.0.0.1:\(server.port)/"),
      timeout: .milliseconds(300), caFile: nil)

    var results: [Result] = []
    while results.isEmpty {
      var entries: [sot_poll_entry] = []
      http.wait(for: &entries, limit: .seconds(20))
      results = http.perform().map(\.1)
    }

    guard case .failure(let failure)? = results.first else { throw SystemError("no failure") }
    #expect(failure.kind == .timedOut)
    #expect(Clocks.now - started < .seconds(8))
  }

  @Test(arguments: [
    ("http://nowhere.invalid/", TransportFailure.Kind.resolving),
    ("http://127.0.0.1:1/", .connecting),
    ("ftp://127.0.0.1/", .misconfigured),
    ("http://", .misconfigured),
  ]) func tellsThatItCouldNotBegin(url: String, kind: TransportFailure.Kind) throws {
    let play = try Play()

    guard case .failure(let failure) = try play.run(Request(method: "GET", url: url), answer: { _ in }) else {
      throw SystemError("no failure")
    }
    #expect(failure.kind == kind, "\(failure)")
  }

  @Test(arguments: ["Help\r\nX-Evil: 1", "a\nb", "a\u{0}b"]) func letsNoHeaderBecomeTwo(value: String) throws
  {
    let play = try Play()

    let result = try play.run(Request(method: "GET", url: play.url, headers: [Header("Title", value)])) {
      $0.send(Self.fine)
    }

    guard case .failure(let failure) = result else { throw SystemError("it was sent") }
    #expect(failure.kind == .misconfigured)
    #expect(play.received.isEmpty)
  }

  @Test func tellsOfDescriptorsThatAreBroken() throws {
    let play = try Play()
    var pipe: [Int32] = [0, 0]
    #expect(Glibc.pipe(&pipe) == 0)
    close(pipe[1])
    var entries = [pipe[0], 1_000_000].map { sot_poll_entry(fd: $0, wants_write: false, ready: false) }

    play.http.wait(for: &entries, limit: .seconds(20))

    #expect(entries.map(\.ready) == [true, true])
    close(pipe[0])
  }
}
