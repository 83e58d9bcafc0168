import CSystem
import DaemonCore
import Glibc

/// The socket at which users ask. Nothing that a client does, or leaves undone, holds up anything else: every
/// buffer has a bound, no call blocks, and a newcomer takes the place of whoever has been idle the longest.
final class ControlSocket {
  private static let clientLimit = 32
  private static let outputLimit = 8 << 20
  /// Bytes that are read at a time: more than most ask with, and little enough for the stack.
  private static let chunk = 512

  private struct Client {
    let descriptor: Int32
    let id: ClientID
    var input: [UInt8] = []
    var output: [UInt8] = []
    var hasAsked = false
    var endsAfterOutput = false
  }

  private let path: String
  private let listener: Int32
  /// In the order in which they came: nearly always none or one.
  private var clients: [Client] = []
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
    for client in clients { close(client.descriptor) }
    close(listener)
    close(spare)
  }

  /// An orderly end leaves no socket behind.
  func remove() { unlink(path) }

  /// Calls `watch` with the listener's descriptor, then with the clients'.
  func forEachDescriptor(_ watch: (_ fd: Int32, _ wantsWrite: Bool) -> Void) {
    watch(listener, false)
    for client in clients { watch(client.descriptor, !client.output.isEmpty) }
  }

  func owns(_ descriptor: Int32) -> Bool { descriptor == listener || index(of: descriptor) != nil }

  func ready(_ descriptor: Int32) -> [Event] {
    if descriptor == listener { return accept() }
    guard let index = index(of: descriptor) else { return [] }
    let events = read(index)
    // It may have gone.
    if let index = self.index(of: descriptor), !clients[index].output.isEmpty { write(index) }
    return events
  }

  func reply(_ id: ClientID, _ line: String, last: Bool) {
    guard let index = clients.firstIndex(where: { $0.id == id }) else { return }
    guard clients[index].output.count + line.utf8.count < Self.outputLimit else { return giveUp(index) }
    clients[index].output.append(text: line)
    clients[index].output.append(0x0A)
    clients[index].endsAfterOutput = last
    write(index)
  }

  private func index(of descriptor: Int32) -> Int? {
    clients.firstIndex { $0.descriptor == descriptor }
  }

  /// One a turn of the loop, so that a storm of connections is served between other things.
  private func accept() -> [Event] {
    let descriptor = sot_accept(listener)
    guard descriptor >= 0 else {
      if errno == EMFILE || errno == ENFILE { turnAway() }
      return []
    }
    let gone = clients.count < Self.clientLimit ? [] : makeRoom()
    clients.append(Client(descriptor: descriptor, id: ClientID(number: nextID)))
    nextID += 1
    // Most have asked by now: a turn of the loop less from a press to its message.
    let heard = read(clients.count - 1)
    return gone.isEmpty ? heard : gone + heard
  }

  /// Left where it is, the newcomer would wake the loop without end.
  private func turnAway() {
    close(spare)
    close(sot_accept(listener))
    spare = sot_open("/dev/null", O_RDONLY | O_CLOEXEC, 0)
  }

  /// Those who have not even asked go first.
  private func makeRoom() -> [Event] {
    hangUp(clients.firstIndex { !$0.hasAsked } ?? 0)
  }

  private func read(_ index: Int) -> [Event] {
    let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.chunk) { bytes in
      let count = Glibc.read(clients[index].descriptor, bytes.baseAddress, bytes.count)
      if count > 0, !clients[index].hasAsked {
        // Safe: that many were read.
        clients[index].input.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<count]))
      }
      return count
    }
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return [] }
    guard count > 0 else { return hangUp(index) }
    guard !clients[index].hasAsked else { return [] }
    guard let end = clients[index].input.firstIndex(of: 0x0A) else {
      if clients[index].input.count >= ControlRequest.lineLimit { refuse(index, "the request is too long") }
      return []
    }
    let command = ControlRequest.decode(Array(clients[index].input[..<end]))
    clients[index].input = []
    clients[index].hasAsked = true
    guard let command else {
      refuse(index, "no such request")
      return []
    }
    return [.commanded(clients[index].id, command)]
  }

  private func refuse(_ index: Int, _ reason: String) {
    clients[index].hasAsked = true
    reply(clients[index].id, JSON.fields([("error", .string(reason))]).encoded, last: true)
  }

  private func write(_ index: Int) {
    let count = clients[index].output.withUnsafeBytes {
      send(clients[index].descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count < 0 {
      if errno != EAGAIN && errno != EINTR { giveUp(index) }
      return
    }
    clients[index].output.removeFirst(count)
    if clients[index].endsAfterOutput && clients[index].output.isEmpty { drop(index) }
  }

  /// The client is of no use any more. It goes when its end is read in the next pass, because only there the
  /// Engine hears of it: a button test whose tester is gone must not go on.
  private func giveUp(_ index: Int) {
    clients[index].output = []
    shutdown(clients[index].descriptor, Int32(SHUT_RDWR))
  }

  private func hangUp(_ index: Int) -> [Event] {
    let client = clients[index]
    drop(index)
    return client.hasAsked ? [.clientGone(client.id)] : []
  }

  private func drop(_ index: Int) {
    close(clients[index].descriptor)
    clients.remove(at: index)
  }
}
