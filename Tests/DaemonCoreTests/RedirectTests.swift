import Testing

@testable import DaemonCore

@Suite struct RedirectTests {
  @Test(arguments: [
    (307, "http://h/b", "http://h/b"), (308, "http://H:80/b?c#d", "http://H:80/b?c"),
    (307, "/b", "http://h/b"), (307, "b", "http://h/x/b"), (307, "?q=a:b", "http://h/x/y?q=a:b"),
    (307, "//h/b", "http://h/b"), (308, "https://h/b", "https://h/b"),
    (308, "https://h:443/b", "https://h:443/b"),
  ])
  func sameServerGetsTheSameRequest(status: Int, location: String, url: String) {
    let request = Request(
      method: "PUT", url: "http://h/x/y?z=1/2", headers: [Header("Authorization", "s")], body: [1, 2])
    let response = Response(status: status, headers: [Header("location", location)])
    var expected = request
    expected.url = url

    #expect(Redirect.target(of: response, from: request) == expected)
  }

  @Test(arguments: [
    (301, "/b"), (302, "/b"), (303, "/b"), (200, "/b"), (307, ""), (307, "#x"), (307, "http://other/b"),
    (307, "//other/b"), (307, "http://h:8080/b"), (307, "https://h:8443/b"), (307, "http://h@other/b"),
    (307, "http://other\\@h/b"), (307, "http://h /b"), (307, "ftp://h/b"), (307, "mailto:a"),
    (307, "http://h.other/b"), (307, "http:///b"), (307, "http://a@b@h/b"), (307, "http://[::1/b"),
  ])
  func nothingElseIsFollowed(status: Int, location: String) {
    let response = Response(status: status, headers: [Header("location", location)])

    #expect(Redirect.target(of: response, from: Request(method: "POST", url: "http://h/x")) == nil)
  }

  @Test func neverFromHTTPSDown() {
    let response = Response(status: 307, headers: [Header("location", "http://h/b")])

    #expect(Redirect.target(of: response, from: Request(method: "POST", url: "https://h/a")) == nil)
    #expect(
      Redirect.target(of: Response(status: 307), from: Request(method: "POST", url: "https://h/a")) == nil)
  }

  @Test func theWholeMessageGoesToWhereTheServerPoints() {
    var world = World()
    world.servers["mum.example"] = {
      $0.request.url.hasSuffix("/b")
        ? .ok : .answers(Response(status: 308, headers: [Header("location", "/b")]))
    }
    let id = world.press()
    world.run(for: .seconds(1))

    #expect(world.sent.map(\.request.url) == ["https://mum.example/", "https://mum.example/b"])
    #expect(world.sent[0].request.body == world.sent[1].request.body)
    #expect(world.sent[0].request.headers == world.sent[1].request.headers)
    #expect(world.state(id, "mum") == "accepted")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func oneThatLeadsNowhereIsNoDelivery(status: Int) {
    var world = World()
    world.servers["mum.example"] = { _ in
      .answers(Response(status: status, headers: [Header("location", "/again")]), after: .milliseconds(10))
    }
    let id = world.press()
    world.run(for: .milliseconds(150))

    let oneTry = status < 307 ? 1 : 1 + Exchange.hops
    #expect(world.sent.count == oneTry)
    #expect(world.sent.allSatisfy { $0.request.method == "POST" && $0.request.body != nil })
    #expect(world.state(id, "mum") == "pending")
    world.run(for: .seconds(60))
    #expect(world.state(id, "mum") == "pending")
    #expect(world.sent.count > oneTry)
  }

  @Test func portsOfAnAddressInBracketsAreSeen() {
    let request = Request(method: "POST", url: "http://[::1]:8080/a")
    func target(_ location: String) -> String? {
      Redirect.target(of: Response(status: 307, headers: [Header("location", location)]), from: request)?.url
    }

    #expect(target("/b") == "http://[::1]:8080/b")
    #expect(target("http://[::1]:8081/b") == nil)
    #expect(target("http://[::2]:8080/b") == nil)
  }

  @Test(
    arguments: [
      ("7", nil, 7), ("0", nil, 0), ("86400", nil, 86_400), ("99999999999999999999", nil, 315_360_000),
      ("soon", nil, nil), ("", nil, nil), ("-5", nil, nil), ("1.5", nil, nil),
      ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
      ("Mon, 01 Mar 2100 00:00:00 GMT", "Sun, 28 Feb 2100 23:59:59 GMT", 1),
      ("Thu, 01 Jan 1970 00:00:05 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 0),
      ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil),
      ("Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", nil),
      ("Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", nil),
    ] as [(String, String?, Int64?)])
  func retryAfterIsRead(value: String, date: String?, seconds: Int64?) {
    let headers = [Header("retry-after", value)] + (date.map { [Header("date", $0)] } ?? [])

    #expect(Response(status: 503, headers: headers).retryAfter?.wholeSeconds == seconds)
  }
}
