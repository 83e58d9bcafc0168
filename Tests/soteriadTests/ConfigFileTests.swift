import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct ConfigFileTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func write(_ text: String, _ name: String = "soteria.json", mode: Int = 0o640) throws -> String {
    try scratch.put(Array(text.utf8), name)
    let path = "\(scratch.path)/\(name)"
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  private func config(_ token: String, wearer: String = "Ayu") -> String {
    """
    { "wearer": { "name": "\(wearer)" },
      "gateways": { "t": { "type": "telegram", "bot_token": \(token) } },
      "contacts": [ { "name": "Mum", "routes": [ { "gateway": "t", "to": 5 } ] } ] }
    """
  }

  private func problems(_ reading: ConfigReading) -> [String] {
    if case .broken(let problems, _) = reading { problems } else { [] }
  }

  @Test func aSecretIsReadFromItsFileWithoutTheTrailingNewline() throws {
    _ = try write("123:secret\n", "token", mode: 0o600)
    let path = try write(config("{ \"file\": \"\(scratch.path)/token\" }"))

    let (result, text) = ConfigFile.decode(path)

    #expect(result.problems.isEmpty)
    #expect(result.config?.gateways.first?.gateway.probe?.url.contains("123:secret/") == true)
    #expect(text?.contains("123:secret") == false)
  }

  @Test(arguments: ["{ \"file\": \"/nonexistent/token\" }", "{ \"credential\": \"tg\" }"])
  func aMissingSecretIsAnErrorOfItsKey(_ token: String) throws {
    let lines = problems(ConfigFile.read(try write(config(token))))

    #expect(lines.count == 1)
    #expect(lines.first?.contains(":2:") == true)
    #expect(lines.first?.contains("error: gateways.t.bot_token: ") == true)
  }

  @Test func aCredentialComesFromTheServiceManager() throws {
    _ = try write("123:secret\r\n", "tg", mode: 0o600)
    let path = try write(config("{ \"credential\": \"tg\" }"))

    let result = try Program.run(
      ["check", "--config", path], environment: ["CREDENTIALS_DIRECTORY": scratch.path])

    #expect(result.status == 0)
    #expect(result.output == "")
  }

  @Test func aCredentialThatTheServiceManagerDidNotBringIsAnError() throws {
    let path = try write(config("{ \"credential\": \"other\" }"))

    let inside = try Program.run(
      ["check", "--config", path], environment: ["CREDENTIALS_DIRECTORY": scratch.path])
    let outside = try Program.run(["check", "--config", path])

    #expect(inside.status == 78 && inside.output.contains("error: gateways.t.bot_token: cannot read"))
    #expect(outside.status == 0 && outside.output.contains("warning: gateways.t.bot_token: "))
  }

  /// `soteriad check --config /dev/stdin`, behind a program that takes its time.
  @Test func aPipeMayBeSlowForWhoeverHasPatience() throws {
    var ends: [Int32] = [0, 0]
    _ = try checked(pipe(&ends), "pipe")
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    #expect(SmallFile.read("/proc/self/fd/\(reader)", limit: 9) == nil)
    #expect(errno == EAGAIN)

    _ = try checked(Int32(Foundation.write(writer, "one", 3)), "write")
    Thread.detachNewThread {
      var left: Int32 = 3
      // The reader has taken what there was, and finds nothing more for a while.
      while left > 0 { _ = ioctl(writer, UInt(FIONREAD), &left) }
      for _ in 0..<1000 { sched_yield() }
      _ = Foundation.write(writer, "two", 3)
      close(writer)
    }

    let bytes = SmallFile.read("/proc/self/fd/\(reader)", limit: 9, patience: .seconds(60))
    #expect(bytes == Array("onetwo".utf8))
  }

  @Test func everyLineOfACheckHasSomethingInThePlaceOfItsKey() throws {
    let path = try write("{ // no\n", mode: 0o644)
    chmod(scratch.path, 0o755)

    let lines = try Program.run(["check", "--config", path]).output.split(separator: "\n")

    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(": (file): ") })
  }

  @Test func whatEveryoneCanReadIsWarnedOf() throws {
    let path = try write(config("\"123:secret\""), mode: 0o644)

    let result = try Program.run(["check", "--config", path])

    #expect(result.status == 0)
    #expect(result.output.contains("\(path):1:1: warning: "))
    #expect(result.output.contains("0644"))
    #expect(result.output.contains("chmod 640"))
  }

  @Test func soIsASecretsOwnFileUnlessTheWayToItIsClosed() throws {
    chmod(scratch.path, 0o755)
    mkdir("\(scratch.path)/secrets", 0o755)
    let token = try write("123:secret", "secrets/token", mode: 0o644)
    let path = try write(config(#"{ "file": "\#(token)" }"#))
    func said() throws -> String { try Program.run(["check", "--config", path]).output }

    #expect(try said().contains("everyone can read \(token) and the secrets in it (mode 0644)"))
    chmod("\(scratch.path)/secrets", 0o750)
    #expect(try said() == "")
    chmod("\(scratch.path)/secrets", 0o755)
    chmod(token, 0o640)
    #expect(try said() == "")
  }

  @Test func whatIsNoConfigurationIsAProblemAndNeverAWait() throws {
    let pipe = scratch.path + "/pipe"
    try Scratch.run("mkfifo", pipe)
    let long = try write(String(repeating: " ", count: 1 << 20) + config("\"1:a\""), "long")

    for path in [pipe, long, scratch.path, scratch.path + "/none", "/dev/zero"] {
      let result = try Program.run(["check", "--config", path])
      #expect(result.status == 78)
      #expect(result.output.hasPrefix("\(path):1:"))
      #expect(result.output.split(separator: "\n").filter { $0.contains(": error: ") }.count == 1)
    }
  }

  @Test func aBrokenFileFallsBackOnTheLastGoodOneThatStillDecodes() throws {
    let path = try write("{")
    #expect(problems(ConfigFile.readWithFallback(path, state: scratch.path)).count == 1)

    func fallback() -> String? {
      guard case .broken(_, let fallback) = ConfigFile.readWithFallback(path, state: scratch.path) else {
        return nil
      }
      return fallback?.config.wearer.name
    }
    #expect(fallback() == nil)
    _ = try write(config("\"1:a\"", wearer: "loaded"), "config.loaded.json")
    #expect(fallback() == "loaded")
    _ = try write(config("\"1:a\"", wearer: "proven"), "config.proven.json")
    #expect(fallback() == "proven")
    _ = try write("rubbish", "config.proven.json")
    #expect(fallback() == "loaded")
  }

  @Test func theNoteOfAReleasedButtonHoldsForThisBootOnly() throws {
    let directories = Directories(state: scratch.path, runtime: scratch.path)
    #expect(ReleasedMark.read(from: directories) == nil)

    ReleasedMark.write(BootTime(nanoseconds: 42), in: directories)
    #expect(ReleasedMark.read(from: directories) == BootTime(nanoseconds: 42))
    ReleasedMark.remove(from: directories)
    #expect(ReleasedMark.read(from: directories) == nil)

    for note in ["another-boot 42\n", "\(directories.bootID) x\n", "", "\(directories.bootID)"] {
      try scratch.put(Array(note.utf8), "button-released")
      #expect(ReleasedMark.read(from: directories) == nil)
    }
  }

  @Test func thePressThatHadBegunIsToldOnceInThisBootOnly() throws {
    let directories = Directories(state: scratch.path, runtime: scratch.path)
    let edges = [
      Edge(pressed: true, at: BootTime(nanoseconds: 42)), Edge(pressed: false, at: BootTime(nanoseconds: 43)),
    ]
    #expect(KeptEdges.take(from: directories).isEmpty)

    KeptEdges.write(edges, in: directories)
    #expect(KeptEdges.take(from: directories) == edges)
    #expect(KeptEdges.take(from: directories).isEmpty)

    try scratch.put(Array("another-boot +42\n".utf8), "button-edges")
    #expect(KeptEdges.take(from: directories).isEmpty)
  }

  @Test func theBootIsTheSameWhoeverTellsIt() throws {
    let kernels = Directories(state: "/s", runtime: "/r", variable: { _ in nil }).bootID
    #expect(kernels.count == 32, "a UUID without its hyphens, as systemd writes it")

    let told = Directories(state: "/s", runtime: "/r", variable: { $0 == "SOTERIAD_BOOT_ID" ? kernels : nil })
    #expect(told.bootID == kernels)
    #expect(Directories(state: "/s", runtime: "/r", variable: { _ in "0a-0B" }).bootID == "0a0B")
  }
}
