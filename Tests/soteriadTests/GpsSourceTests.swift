import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct GpsSourceTests {
  /// A source connected to a server that the test plays.
  private struct Session {
    let source: GpsSource
    let server: LoopbackServer
    let peer: LoopbackServer.Peer

    init() throws {
      source = try GpsSource()
      server = try LoopbackServer()
      source.open(host: "127.0.0.1", port: server.port, generation: 1)
      peer = try server.accept()
      #expect(peer.receive().contains("?WATCH="))
      try #require(isReadable(source.openDescriptor))
      guard case .gpsOpened(generation: 1) = source.openFinished() else {
        throw SystemError("not opened")
      }
    }

    /// Sends `text` and reads until there were as many events as expected.
    func events(_ count: Int, after text: String) throws -> [Event] {
      peer.send(text)
      var events: [Event] = []
      while events.count < count {
        try #require(isReadable(source.sessionDescriptor ?? -1))
        events += source.readable()
      }
      return events
    }
  }

  struct Line: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    /// nil: rubbish.
    let report: GpsReport?

    init(_ name: String, _ text: String, _ report: GpsReport?) {
      testDescription = name
      self.text = text
      self.report = report
    }

    static let all = [
      Line(
        "nothing but the place", #"{"class":"TPV","mode":2,"lat":52.1,"lon":5.3}"#,
        GpsReport(mode: 2, latitude: 52.1, longitude: 5.3)),
      Line(
        "a fix without a place", #"{"class":"TPV","device":"/dev/x","mode":3,"epv":69.0,"eph":32.3}"#,
        GpsReport(device: "/dev/x", mode: 3, accuracy: 32.3)),
      Line("no mode", #"{"class":"TPV"}"#, GpsReport(mode: 0)),
      Line(
        "numbers without a point", #"{"class":"TPV","mode":3,"lat":52,"lon":-5,"eph":4}"#,
        GpsReport(mode: 3, latitude: 52, longitude: -5, accuracy: 4)),
      Line(
        "numbers with an exponent", #"{"class":"TPV","mode":2,"lat":5.21e1,"lon":-3.8472E-1,"eph":1e+1}"#,
        GpsReport(mode: 2, latitude: 52.1, longitude: -0.38472, accuracy: 10)),
      Line(
        "more digits than a number holds",
        #"{"class":"TPV","mode":2,"lat":52.10000000000000000000000000000000001,"lon":5.3}"#,
        GpsReport(mode: 2, latitude: 52.1, longitude: 5.3)),
      Line(
        "a status that speaks of a fix, a mode that does not",
        #"{"class":"TPV","mode":1,"status":2,"lat":52.1,"lon":5.3}"#,
        GpsReport(mode: 1, latitude: 52.1, longitude: 5.3)),
      Line(
        "everything",
        #"{"class":"TPV","device":"/dev/y","mode":3,"time":"2020-01-01T00:00:00.500Z","lat":-0.5,"lon":0.25,"#
          + #""altMSL":-9.1,"speed":1.5,"track":90.0,"eph":4.0,"status":8}"#,
        GpsReport(
          device: "/dev/y", mode: 3, latitude: -0.5, longitude: 0.25, accuracy: 4, altitude: -9.1, speed: 1.5,
          course: 90, origin: .simulated, receiverTime: 1_577_836_800.5)),
      Line(
        "spaces as other programs write them", #"{"class": "TPV", "mode": 2, "lat": 1.5, "lon": 2.5}"#,
        GpsReport(mode: 2, latitude: 1.5, longitude: 2.5)),
      Line(
        "keys of a newer gpsd",
        #"{"class":"TPV","new":{"class":"TPV"},"neo":[1],"mode":2,"lat":1.5,"lon":2.5}"#,
        GpsReport(mode: 2, latitude: 1.5, longitude: 2.5)),
      Line(
        "the class last", #"{"mode":2,"lat":1.5,"lon":2.5,"class":"TPV"}"#,
        GpsReport(mode: 2, latitude: 1.5, longitude: 2.5)),
      Line(
        "text for a number", #"{"class":"TPV","mode":3,"lat":"5.0","lon":6.0}"#,
        GpsReport(mode: 3, longitude: 6)),
      Line("too large for a number", #"{"class":"TPV","mode":3,"lat":1e400}"#, GpsReport(mode: 3)),
      Line("a number cut off", #"{"class":"TPV","mode":2,"lat":52.1,"lon":5.3,"alt":}"#, nil),
      Line(
        "an unknown number as C writes it beside a good place",
        #"{"class":"TPV","mode":2,"lat":52.1,"lon":5.3,"altMSL":NaN,"eph":-nan,"speed":inf,"track":-inf}"#,
        GpsReport(mode: 2, latitude: 52.1, longitude: 5.3)),
      Line(
        "not a number", #"{"class":"TPV","mode":3,"lat":nan,"lon":1}"#, GpsReport(mode: 3, longitude: 1)),
      Line("a word that is none", #"{"class":"TPV","mode":2,"lat":52.1,"lon":5.3,"alt":nil}"#, nil),
      Line("cut in the middle", #"{"class":"TPV","mode":2,"lat":52.1,"lon":5"#, nil),
      Line("on which libgps spins", #"{"class":"TPV","new":{"x":1}}{"class":"VERSION","rev":""}"#, nil),
      Line("a comma too many", #"{"class":"TPV","mode":3,}"#, nil),
      Line("a comma too few", #"{"class":"TPV" "mode":3}"#, nil),
      Line("a key without a value", #"{"class":"TPV","mode"}"#, nil),
      Line("nothing in it", "{}", nil),
      Line("no JSON", "$GPRMC,000231.099,A", nil),
      Line("no class", #"{"mode":3}"#, nil),
      Line("nested without end", String(repeating: #"{"class":"#, count: 5000), nil),
    ]
  }

  @Test(arguments: Line.all) func readsALineOrSkipsItWhole(_ line: Line) throws {
    let session = try Session()

    let events = try session.events(1, after: line.text + "\r\n")

    switch events.first {
    case .gpsReported(let report): #expect(report == line.report)
    case .gpsRubbish: #expect(line.report == nil)
    default: Issue.record("\(events)")
    }
  }

  @Test func asksWhetherASilentPeerIsStillThere() throws {
    let session = try Session()
    var (isOn, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))

    let descriptor = try #require(session.source.sessionDescriptor)
    #expect(getsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &isOn, &size) == 0)

    #expect(isOn == 1)
  }

  @Test func returnsFromAPeerThatNeverPauses() throws {
    let session = try Session()
    let flood = String(repeating: "x\n", count: 20_000)
    var events = try session.events(1, after: flood)

    #expect(events.count < 10_000)
    while events.count < 20_000 {
      try #require(isReadable(session.source.sessionDescriptor ?? -1))
      events += session.source.readable()
    }
    #expect(events.count == 20_000)
  }

  @Test func keepsEveryReportOfOneSegment() throws {
    let session = try Session()
    let lines = (1...5).map { #"{"class":"TPV","device":"/dev/\#($0)","mode":\#($0 % 4)}"# + "\n" }

    let events = try session.events(5, after: lines.joined())

    #expect(events.compactMap(\.report?.device) == (1...5).map { "/dev/\($0)" })
  }

  @Test func joinsWhatSegmentsCutApart() throws {
    let session = try Session()
    let satellites = (1...140).map { #"{"PRN":\#($0),"el":10.0,"az":20.0,"ss":30.0,"used":true,"gnssid":0}"# }
    let sky = #"{"class":"SKY","satellites":[\#(satellites.joined(separator: ","))]}"#
    let text = Array((sky + "\n" + #"{"class":"TPV","mode":2,"lat":1.0,"lon":2.0}"# + "\n").utf8)
    var events: [Event] = []

    for start in stride(from: 0, to: text.count, by: 1448) {
      session.peer.send(String(decoding: text[start..<min(start + 1448, text.count)], as: UTF8.self))
      try #require(isReadable(session.source.sessionDescriptor ?? -1))
      events += session.source.readable()
    }
    for character in #"{"class":"TPV","mode":1}"# + "\n" {
      session.peer.send(String(character))
      try #require(isReadable(session.source.sessionDescriptor ?? -1))
      events += session.source.readable()
    }

    #expect(events.compactMap(\.report?.mode) == [2, 1])
    #expect(events.count == 2)
  }

  @Test func forgetsTheReportBefore() throws {
    let session = try Session()
    let full = #"{"class":"TPV","device":"/dev/x","mode":3,"lat":1.0,"lon":2.0,"eph":3.0,"status":8}"#

    let events = try session.events(2, after: full + "\n" + #"{"class":"TPV","mode":3}"# + "\n")

    #expect(events.last?.report == GpsReport(mode: 3))
  }

  @Test func dropsALineWithoutEndAsOneRubbish() throws {
    let session = try Session()
    for _ in 0..<40 {
      session.peer.send(String(repeating: "x", count: 4096))
      try #require(isReadable(session.source.sessionDescriptor ?? -1))
      #expect(session.source.readable().isEmpty)
    }

    let events = try session.events(2, after: "\n" + #"{"class":"TPV","mode":2}"# + "\n")

    guard case .gpsRubbish = events[0] else { throw SystemError("no rubbish") }
    #expect(events[1].report?.mode == 2)
  }

  @Test(arguments: [false, true]) func tellsThatTheSessionEnded(byReset: Bool) throws {
    let source = try GpsSource()
    let server = try LoopbackServer()
    source.open(host: "127.0.0.1", port: server.port, generation: 7)
    do {
      let peer = try server.accept()
      _ = peer.receive()
      try #require(isReadable(source.openDescriptor))
      _ = source.openFinished()
      if byReset { peer.resetWhenClosed() }
    }
    try #require(isReadable(source.sessionDescriptor ?? -1))

    guard case .gpsLost(generation: 7, _)? = source.readable().last else { throw SystemError("not lost") }
    #expect(source.sessionDescriptor == nil)
  }

  @Test func tellsThatNobodyListens() throws {
    let port = try LoopbackServer().port
    let source = try GpsSource()
    source.open(host: "127.0.0.1", port: port, generation: 3)
    try #require(isReadable(source.openDescriptor))

    guard case .gpsLost(generation: 3, let reason)? = source.openFinished() else {
      throw SystemError("not lost")
    }
    #expect(!reason.isEmpty)
  }

  @Test func tellsThatAHostIsUnknown() throws {
    let source = try GpsSource()
    source.open(host: "nowhere.invalid", port: 2947, generation: 4)
    try #require(isReadable(source.openDescriptor))

    guard case .gpsLost(generation: 4, _)? = source.openFinished() else { throw SystemError("not lost") }
  }

  @Test func dropsAnOpeningThatIsOutOfDate() throws {
    let source = try GpsSource()
    let server = try LoopbackServer()
    source.open(host: "127.0.0.1", port: server.port, generation: 1)
    source.open(host: "127.0.0.1", port: server.port, generation: 2)
    let first = try server.accept()
    try #require(isReadable(source.openDescriptor))
    #expect(source.openFinished().isNone)
    _ = first.receive()

    let second = try server.accept()
    try #require(isReadable(source.openDescriptor))

    guard case .gpsOpened(generation: 2)? = source.openFinished() else { throw SystemError("not opened") }
    #expect(first.receive().isEmpty)
    #expect(second.receive().contains("?WATCH="))
  }

  @Test func opensNothingOnceClosed() throws {
    let source = try GpsSource()
    let server = try LoopbackServer()
    source.open(host: "127.0.0.1", port: server.port, generation: 1)
    source.close()
    try #require(isReadable(source.openDescriptor))

    #expect(source.openFinished().isNone)
    #expect(source.sessionDescriptor == nil)
  }
}

extension Event {
  fileprivate var report: GpsReport? {
    if case .gpsReported(let report) = self { return report }
    return nil
  }
}

extension Event? {
  fileprivate var isNone: Bool {
    if case .none = self { return true }
    return false
  }
}
