import CSystem
import DaemonCore
import Glibc

/// The outbox's files: the one in the state directory, and a spare in the runtime directory for as long as
/// the disk refuses. Used by the store's thread alone.
final class StoreFiles {
  private let stateDirectory: String
  private let runtimeDirectory: String
  private var primary: Database?
  private var spare: Database?
  /// What had to be set aside, told with the first load.
  private(set) var damage: [String] = []

  init(stateDirectory: String, runtimeDirectory: String) {
    self.stateDirectory = stateDirectory
    self.runtimeDirectory = runtimeDirectory
  }

  var path: String { "\(stateDirectory)/outbox.db" }
  private var sparePath: String { "\(runtimeDirectory)/outbox-spare.db" }

  /// What survives a power cut does not live in memory.
  var durabilityProblem: String? {
    sot_is_in_memory(stateDirectory)
      ? "\(stateDirectory) is in memory: alerts do not survive a power cut" : nil
  }

  /// Reads what is there, from the spare where the real place refuses. The error is the real place's.
  func load() -> (state: StoredState, error: DatabaseError?) {
    do throws(DatabaseError) {
      let database = try openPrimary()
      var state = try database.load()
      state.damage = damage
      return (state, nil)
    } catch {
      primary = nil
      openSpare()
      var state = (try? spare?.load()) ?? StoredState()
      state.damage = damage
      return (state, error)
    }
  }

  /// Writes to the real place; where it refuses, to the spare, and throws.
  func write(_ writes: [StoreWrite]) throws(DatabaseError) {
    do throws(DatabaseError) {
      try openPrimary().write(writes)
    } catch {
      // A file that went bad under us is opened anew, and then found damaged.
      primary = nil
      openSpare()
      try? spare?.write(writes)
      throw error
    }
  }

  func history(of alertID: String?) -> (alerts: [String], deliveries: [String]) {
    let database = (try? openPrimary()) ?? spare
    return (try? database?.history(of: alertID)) ?? ([], [])
  }

  private func openPrimary() throws(DatabaseError) -> Database {
    if let primary { return primary }
    if mkdir(stateDirectory, 0o700) != 0, errno != EEXIST {
      throw DatabaseError(
        operation: "cannot make \(stateDirectory)", code: 0, reason: String(cString: strerror(errno)))
    }
    let opened: Database
    do throws(DatabaseError) {
      opened = try Database(path: path)
    } catch {
      guard error.isDamage else { throw explained(error) }
      opened = try setAside(error)
    }
    chmod(path, 0o600)
    try takeOverSpare(opened)
    primary = opened
    return opened
  }

  /// The damaged file keeps existing under another name; what can be read of it goes on in a new one.
  private func setAside(_ error: DatabaseError) throws(DatabaseError) -> Database {
    var number = 1
    while access("\(path).damaged-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).damaged-\(number)"
    for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
    let fresh = try Database(path: path)
    let rows = (try? Database(path: aside, create: false, salvage: true))?.everything() ?? []
    if !rows.isEmpty { try fresh.write(rows) }
    damage.append("\(error.reason): set aside as \(aside), \(rows.count) rows of it go on")
    return fresh
  }

  /// Rows that only the spare has come home.
  private func takeOverSpare(_ database: Database) throws(DatabaseError) {
    guard spare != nil || access(sparePath, F_OK) == 0 else { return }
    openSpare()
    if let rows = spare?.everything(), !rows.isEmpty { try database.write(rows) }
    spare = nil
    for suffix in ["", "-wal", "-shm"] { unlink(sparePath + suffix) }
  }

  /// A copy of what the real place holds, where it can be written. One that is there already is newer.
  private func openSpare() {
    guard spare == nil else { return }
    if access(sparePath, F_OK) != 0 {
      for suffix in ["", "-wal"] {
        if let bytes = SmallFile.read(path + suffix, limit: 64 << 20) {
          _ = AtomicFile.write(bytes, to: sparePath + suffix, durably: false)
        }
      }
    }
    spare = try? Database(path: sparePath)
  }

  /// The owner of a directory that cannot be written is the usual cause.
  private func explained(_ error: DatabaseError) -> DatabaseError {
    var info = stat()
    guard stat(stateDirectory, &info) == 0, access(stateDirectory, W_OK) != 0 || access(path, W_OK) != 0
    else {
      return error
    }
    var better = error
    let mode = String(info.st_mode & 0o777, radix: 8)
    better.reason +=
      "; \(stateDirectory) belongs to uid \(info.st_uid) with mode 0\(mode), this is uid \(geteuid())"
    return better
  }
}
