// Covers: DaemonCore/Control/ControlRequest.swift
// Covers: soteriad/ControlSocket.swift
// With: soteriad/ControlSocket.swift
// With: soteriad/ServiceUser.swift
// With: soteriad/SystemError.swift
// Longest: 400
import CSystem
import Glibc

@testable import DaemonCore

/// Clients that connect, write in pieces, read or do not, and go, in any order: what each asked is heard once, whoever
/// asked and is gone is told of, and nobody's descriptor is kept.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  checkLines(bytes)
  let free = lowestFreeDescriptor()
  do {
    var hall = Hall()
    while !input.isEmpty { hall.step(&input) }
    hall.close()
  }
  require(lowestFreeDescriptor() == free, "a descriptor is left open")
}

/// What is understood is said again in the same words, and no answer is too odd to be read.
private func checkLines(_ bytes: [UInt8]) {
  for line in bytes.split(separator: 0x0A) {
    if let command = ControlRequest.decode(Array(line)) {
      let again = ControlRequest.encode(command)
      require(ControlRequest.decode(Array(again.utf8)) == command, "\(command) is understood otherwise")
      require(!again.utf8.contains(0x0A), "a request of two lines")
      if case .testButton(let span) = command {
        require((.zero...ControlRequest.testLimit).contains(span), "a test of \(span)")
      }
    }
    _ = ControlAnswer(line: Array(line))
  }
}

private func lowestFreeDescriptor() -> Int32 {
  let descriptor = dup(0)
  Glibc.close(descriptor)
  return descriptor
}

extension ControlSocket {
  fileprivate var descriptors: [(fd: Int32, wantsWrite: Bool)] {
    var all: [(fd: Int32, wantsWrite: Bool)] = []
    forEachDescriptor { all.append(($0, $1)) }
    return all
  }
}

/// The socket and everyone around it.
private struct Hall {
  private static let directory = "/dev/shm/soteriad-fuzz.\(getpid())"
  private static let path = directory + "/socket"
  private let socket: ControlSocket
  /// The clients' ends.
  private var clients: [Int32] = []
  private var asked: Set<ClientID> = []
  private var gone: Set<ClientID> = []
  /// Those who have had their last line, or will.
  private var answered: Set<ClientID> = []

  private static let requests = [
    #"{"command":"status"}"#, #"{"command":"press","drill":true,"wait":"30s"}"#, #"{"command":"cancel"}"#,
    #"{"command":"test-button","for":"1m"}"#, #"{"command":"alerts","id":"01J"}"#, #"{"command":"press"}"#,
    #"{"command":"alerts"}"#, #"{"command":"test-button"}"#,
  ]

  /// Longer than what a socket takes at once, and than what is kept for anyone.
  private static let long = String(repeating: "x", count: 300_000)
  private static let tooLong = String(repeating: "x", count: 9 << 20)

  init() {
    do throws(SystemError) {
      socket = try ControlSocket(path: Self.path)
    } catch {
      fatalError("\(error)")
    }
  }

  mutating func step(_ input: inout Input) {
    let what = input.byte()
    let client = clients.isEmpty ? -1 : clients[what >> 4 % clients.count]
    switch what & 15 {
    case 0, 1: connect()
    case 2, 3: put(client, Self.requests[input.byte() % Self.requests.count] + "\n")
    case 4: put(client, String(decoding: input.bytes(input.byte() & 31), as: UTF8.self))
    case 5: put(client, input.text(upTo: 0))
    case 6: put(client, String(repeating: " ", count: input.byte() << 5))
    case 7: leave(client)
    case 8: shutdown(client, Int32(SHUT_WR))
    case 9: shutdown(client, Int32(SHUT_RD))
    case 10: read(client)
    case 11: answer(&input, #"{"text":"line"}"#, last: false)
    case 12: answer(&input, #"{"text":"line","exit":0}"#, last: true)
    case 13: answer(&input, input.byte() & 3 == 0 ? Self.tooLong : Self.long, last: input.bool())
    case 14: for _ in 0..<34 where input.bool() { connect() }
    default: takeOver()
    }
    pump()
  }

  mutating func close() {
    while let client = clients.last { leave(client) }
    pump()
    require(socket.descriptors.count == 1, "a client that left is still served")
    let unnoticed = asked.subtracting(gone).subtracting(answered)
    require(unnoticed.isEmpty, "\(unnoticed) left unnoticed")
    socket.remove()
    rmdir(Self.directory)
  }

  /// To anyone whose last line has not been said, or who has never been here.
  private mutating func answer(_ input: inout Input, _ line: String, last: Bool) {
    let waiting = asked.subtracting(answered).sorted { $0.number < $1.number }
    let index = input.byte()
    let id = waiting.isEmpty ? ClientID(number: -index) : waiting[index % waiting.count]
    if last { answered.insert(id) }
    socket.reply(id, line, last: last)
  }

  private mutating func connect() {
    let descriptor = sot_unix_connect(Self.path)
    require(descriptor >= 0, "no way in")
    clients.append(descriptor)
    pump()
  }

  private mutating func leave(_ client: Int32) {
    guard let index = clients.firstIndex(of: client) else { return }
    clients.remove(at: index)
    Glibc.close(client)
  }

  private func put(_ client: Int32, _ text: String) {
    _ = send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  private func read(_ client: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// A second daemon is turned away, and the first goes on.
  private mutating func takeOver() {
    do throws(SystemError) {
      _ = try ControlSocket(path: Self.path)
      fatalError("two daemons at one socket")
    } catch {
      require(error.description.utf8.count > 10, "turned away without a word")
    }
    pump()
  }

  /// As often as the loop would come round.
  private mutating func pump() {
    for _ in 0..<200 {
      var entries = socket.descriptors.map { descriptor, wantsWrite in
        pollfd(fd: descriptor, events: Int16(wantsWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
      }
      require(entries.count <= 33, "\(entries.count) descriptors")
      guard poll(&entries, nfds_t(entries.count), 0) > 0 else { return }
      for entry in entries where entry.revents != 0 {
        for event in socket.ready(entry.fd) { hear(event) }
      }
    }
    fatalError("a descriptor that is ready for ever")
  }

  private mutating func hear(_ event: Event) {
    switch event {
    case .commanded(let id, _): require(asked.insert(id).inserted, "\(id) asked twice")
    case .clientGone(let id): require(gone.insert(id).inserted, "\(id) is gone twice")
    default: fatalError("the socket says \(event)")
    }
  }
}
