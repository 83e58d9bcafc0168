import CSystem
import DaemonCore
import Glibc

/// The socket at which users ask. Nothing that a client does, or leaves undone, holds up anything else: every
/// buffer has a bound, no call blocks, and a newcomer takes the place of whoever has been idle the longest.
final class ControlSocket {
  private static let clientLimit = 32
  private static let outputLimit = 8 << 20

  private struct Client {
    var id: ClientID
    var input: [UInt8] = []
    var output: [UInt8] = []
    var hasAsked = false
    var endsAfterOutput = false
    var arrived: Int
  }

  private let path: String
  private let listener: Int32
  private var clients: [Int32: Client] = [:]
  private var nextID = 1
  /// Given up for as long as it takes to turn a newcomer away when no other descriptor is to be had.
  private var spare: Int32

  /// Takes over a socket that a run before left behind; refuses one that is being served.
  init(path: String) throws(SystemError) {
    self.path = path
    let directory = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
      separator: "/")
    if !directory.isEmpty { try Self.makeDirectory(directory) }
    let probe = sot_unix_connect(path)
    if probe >= 0 {
      close(probe)
      errno = EADDRINUSE
      throw SystemError("control socket \(path): another soteriad runs")
    }
    if errno == EAGAIN { throw SystemError("control socket \(path): another soteriad holds it and hangs") }
    var info = stat()
    // Only what a run before left behind is taken away.
    if lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFSOCK { unlink(path) }
    listener = try checked(sot_unix_listen(path, 0o660), "control socket \(path)")
    spare = sot_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
    if let owner = ServiceUser() { chown(path, owner.user, owner.group) }
  }

  /// One that the service manager has not made. The group passes through it to the socket, whatever the umask.
  private static func makeDirectory(_ path: String) throws(SystemError) {
    if mkdir(path, 0o755) == 0 {
      chmod(path, 0o755)
    } else if errno != EEXIST {
      throw SystemError("cannot make \(path), the directory of the control socket")
    }
  }

  deinit {
    for descriptor in clients.keys { close(descriptor) }
    close(listener)
    close(spare)
  }

  /// An orderly end leaves no socket behind.
  func remove() { unlink(path) }

  /// The listener's first, then the clients'.
  var descriptors: [(fd: Int32, wantsWrite: Bool)] {
    var all = [(fd: listener, wantsWrite: false)]
    for (descriptor, client) in clients { all.append((descriptor, !client.output.isEmpty)) }
    return all
  }

  func owns(_ descriptor: Int32) -> Bool { descriptor == listener || clients[descriptor] != nil }

  func ready(_ descriptor: Int32) -> [Event] {
    if descriptor == listener { return accept() }
    guard clients[descriptor] != nil else { return [] }
    let events = read(descriptor)
    if clients[descriptor]?.output.isEmpty == false { write(descriptor) }
    return events
  }

  func reply(_ id: ClientID, _ line: String, last: Bool) {
    guard let (descriptor, client) = clients.first(where: { $0.value.id == id }) else { return }
    guard client.output.count + line.utf8.count < Self.outputLimit else { return giveUp(descriptor) }
    clients[descriptor]?.output += Array(line.utf8) + [0x0A]
    clients[descriptor]?.endsAfterOutput = last
    write(descriptor)
  }

  /// One a turn of the loop, so that a storm of connections is served between other things.
  private func accept() -> [Event] {
    let descriptor = sot_accept(listener)
    guard descriptor >= 0 else {
      if errno == EMFILE || errno == ENFILE { turnAway() }
      return []
    }
    let events = clients.count < Self.clientLimit ? [] : makeRoom()
    clients[descriptor] = Client(id: ClientID(number: nextID), arrived: nextID)
    nextID += 1
    // Most have asked by now: a turn of the loop less from a press to its message.
    return events + read(descriptor)
  }

  /// Left where it is, the newcomer would wake the loop without end.
  private func turnAway() {
    close(spare)
    close(sot_accept(listener))
    spare = sot_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
  }

  /// Those who have not even asked go first.
  private func makeRoom() -> [Event] {
    let idle = clients.filter { !$0.value.hasAsked }
    guard let oldest = (idle.isEmpty ? clients : idle).min(by: { $0.value.arrived < $1.value.arrived }) else {
      return []
    }
    return hangUp(oldest.key)
  }

  private func read(_ descriptor: Int32) -> [Event] {
    var count = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: ControlRequest.lineLimit) { bytes, filled in
      count = Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      filled = max(0, count)
    }
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return [] }
    guard count > 0 else { return hangUp(descriptor) }
    guard var client = clients[descriptor], !client.hasAsked else { return [] }
    client.input += chunk
    guard let end = client.input.firstIndex(of: 0x0A) else {
      guard client.input.count < ControlRequest.lineLimit else {
        clients[descriptor] = client
        return refuse(descriptor, "the request is too long")
      }
      clients[descriptor] = client
      return []
    }
    let line = Array(client.input[..<end])
    client.input = []
    client.hasAsked = true
    clients[descriptor] = client
    guard let command = ControlRequest.decode(line) else { return refuse(descriptor, "no such request") }
    return [.commanded(client.id, command)]
  }

  private func refuse(_ descriptor: Int32, _ reason: String) -> [Event] {
    guard let id = clients[descriptor]?.id else { return [] }
    clients[descriptor]?.hasAsked = true
    reply(id, JSON.fields([("error", .string(reason))]).encoded, last: true)
    return []
  }

  private func write(_ descriptor: Int32) {
    guard let client = clients[descriptor] else { return }
    let count = client.output.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count < 0 {
      if errno != EAGAIN && errno != EINTR { giveUp(descriptor) }
      return
    }
    clients[descriptor]?.output.removeFirst(count)
    if client.endsAfterOutput && client.output.count == count { drop(descriptor) }
  }

  /// The client is of no use any more. It goes when its end is read in the next pass, because only there the
  /// Engine hears of it: a button test whose tester is gone must not go on.
  private func giveUp(_ descriptor: Int32) {
    clients[descriptor]?.output = []
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private func hangUp(_ descriptor: Int32) -> [Event] {
    guard let client = clients[descriptor] else { return [] }
    drop(descriptor)
    return client.hasAsked ? [.clientGone(client.id)] : []
  }

  private func drop(_ descriptor: Int32) {
    clients[descriptor] = nil
    close(descriptor)
  }
}
