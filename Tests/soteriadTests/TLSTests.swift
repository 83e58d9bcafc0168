import CCurl
import DaemonCore
import Foundation
import Testing

@testable import soteriad

/// Certificates of an authority of the tests' own, and servers that show them.
@Suite struct TLSTests {
  private final class Authority {
    let scratch: Scratch
    private var servers: [Process] = []

    init() throws {
      scratch = try Scratch()
      let extensions = "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n"
      try Data(extensions.utf8).write(to: URL(fileURLWithPath: path("extensions")))
      try openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
        "-subj",
        "/CN=Authority", "-keyout", path("ca.key"), "-out", path("ca.pem"))
      try openssl(
        "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
        "-keyout",
        path("server.key"), "-out", path("server.csr"))
    }

    // They inherit from the test's thread that SIGTERM is blocked.
    deinit {
      for server in servers {
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
      }
    }

    func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

    /// A server on a port of its own whose certificate begins to be valid in 2099.
    func serveTooEarly() throws -> Int {
      let rules = """
        [ca]
        default_ca = all
        [all]
        database = \(path("index"))
        new_certs_dir = \(scratch.path)
        rand_serial = yes
        default_md = sha256
        policy = any
        [any]
        commonName = supplied

        """
      try scratch.put(Array(rules.utf8), "rules")
      try scratch.put([], "index")
      try openssl(
        "ca", "-batch", "-notext", "-config", path("rules"), "-cert", path("ca.pem"), "-keyfile",
        path("ca.key"), "-in", path("server.csr"), "-extfile", path("extensions"), "-startdate",
        "20990101000000Z", "-enddate", "20990201000000Z", "-out", path("early.pem"))
      return try serve(path("early.pem"))
    }

    /// A server on a port of its own whose certificate lasts so many days from now.
    func serve(days: Int) throws -> Int {
      let certificate = path("server\(days).pem")
      try openssl(
        "x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
        "-set_serial",
        "\(days + 100)", "-days", "\(days)", "-extfile", path("extensions"), "-out", certificate)
      return try serve(certificate)
    }

    private func serve(_ certificate: String) throws -> Int {
      let script = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(204)
                self.end_headers()
            def log_message(self, *words):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """
      let server = Process()
      let output = Pipe()
      server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      server.arguments = ["python3", "-c", script, certificate, path("server.key")]
      server.standardOutput = output
      server.standardError = FileHandle.nullDevice
      try server.run()
      servers.append(server)
      let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private func openssl(_ arguments: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["openssl"] + arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
  }

  private func get(_ url: String, caFile: String?, in scratch: Scratch) throws -> Result<
    Response, TransportFailure
  > {
    let http = try #require(HTTPClient(bundlesIn: scratch.path))
    let request = Request(method: "GET", url: url)
    http.start(ExchangeID(number: 1), request, timeout: .seconds(20), caFile: caFile)
    for _ in 0..<10_000 {
      var entries: [sot_poll_entry] = []
      http.wait(for: &entries, limit: .seconds(20))
      if let (_, result) = http.perform().first { return result }
    }
    throw SystemError("no end")
  }

  @Test func trustsTheOwnersAuthorityAndNobodyElse() throws {
    let authority = try Authority()
    let port = try authority.serve(days: 30)
    let url = "https://localhost:\(port)/"

    let trusted = try get(url, caFile: authority.path("ca.pem"), in: authority.scratch)
    let unknown = try get(url, caFile: nil, in: authority.scratch)
    let named = try get("https://127.0.0.1:\(port)/", caFile: authority.path("ca.pem"), in: authority.scratch)
    let missing = try get(url, caFile: authority.path("none.pem"), in: authority.scratch)

    #expect(try trusted.get().status == 204)
    #expect(unknown.kind == .securing)
    #expect(named.kind == .securing)
    #expect(missing.kind == .misconfigured)
  }

  @Test func trustsNothingThatHasExpired() throws {
    let authority = try Authority()
    // OpenSSL 3.5 refuses a negative span; one of none has ended when it begins.
    let port = try authority.serve(days: 0)

    let result = try get(
      "https://localhost:\(port)/", caFile: authority.path("ca.pem"), in: authority.scratch)

    #expect(result.kind == .securing)
  }

  @Test func theOnlineCheckSaysForEachGatewayWhatIsWrong() throws {
    let authority = try Authority()
    let (good, expired) = (try authority.serve(days: 30), try authority.serve(days: 0))
    let ca = authority.path("ca.pem")
    func hook(_ port: Int, _ more: String = "") -> String {
      #"{ "type": "webhook", "url": "https://localhost:\#(port)/s3cret"\#(more) }"#
    }
    let config = """
      { "gateways": {
          "good": \(hook(good, #", "ca_file": "\#(ca)""#)),
          "strange": \(hook(good)),
          "expired": \(hook(expired, #", "ca_file": "\#(ca)""#)),
          "closed": \(hook(1)),
          "bot": { "type": "telegram", "bot_token": "1:s3cret", "url": "https://localhost:\(good)",
                   "ca_file": "\(ca)" } },
        "contacts": [ { "name": "Mum", "routes": [ { "gateway": "good" }, { "gateway": "strange" },
          { "gateway": "expired" }, { "gateway": "closed" }, { "gateway": "bot", "to": 1 } ] } ] }
      """
    try authority.scratch.put(Array(config.utf8), "soteria.json")
    chmod(authority.path("soteria.json"), 0o600)

    let result = try Program.run(["check", "--online", "--config", authority.path("soteria.json")])

    let said = result.output.split(separator: "\n").map(String.init)
    func verdict(_ name: String) -> String? { said.first { $0.hasPrefix("\(name): ") } }
    #expect(verdict("good") == "good: reachable; credentials cannot be tried")
    #expect(verdict("strange")?.contains("certificate") == true)
    #expect(verdict("expired")?.contains("expired") == true)
    #expect(verdict("closed")?.contains("connect") == true)
    #expect(verdict("bot").map { !$0.contains("accepted") } == true)
    #expect(verdict("bot to Mum") != nil)
    #expect(verdict("clock") == "clock: no service tells the time")
    #expect(result.status == 1)
    #expect(!(result.output + result.errors).contains("s3cret"))
  }

  /// A message without an address is a message: nobody is kept from switching the service on.
  @Test func troubleWithAddressesFailsNoCheck() throws {
    let authority = try Authority()
    let good = try authority.serve(days: 30)
    let places = Program.source("places/places")
    let config = """
      { "gateways": { "good": { "type": "webhook", "url": "https://localhost:\(good)/",
                                "ca_file": "\(authority.path("ca.pem"))" } },
        "geocoder": { "type": "photon", "url": "https://localhost:\(good)/?key=s3cret", "places": "\(places)" },
        "contacts": [ { "name": "Mum", "routes": [ { "gateway": "good" } ] } ] }
      """
    try authority.scratch.put(Array(config.utf8), "soteria.json")
    chmod(authority.path("soteria.json"), 0o600)

    let result = try Program.run(["check", "--online", "--config", authority.path("soteria.json")])

    let said = result.output.split(separator: "\n").map(String.init)
    #expect(said.contains { $0.hasPrefix("addresses by photon: warning: ") && $0.contains("certificate") })
    #expect(said.contains("list of places: answers"))
    #expect(result.status == 0 && !result.output.contains("s3cret"))
  }

  /// As every certificate looks to a device whose clock was never set.
  @Test func trustsNothingThatIsNotValidYet() throws {
    let authority = try Authority()
    let port = try authority.serveTooEarly()

    let result = try get(
      "https://localhost:\(port)/", caFile: authority.path("ca.pem"), in: authority.scratch)

    #expect(result.kind == .securing)
  }
}

extension Result<Response, TransportFailure> {
  fileprivate var kind: TransportFailure.Kind? {
    if case .failure(let failure) = self { return failure.kind }
    return nil
  }
}
