import CSystem
import DaemonCore

/// Notices that the configuration file no longer says what was read from it.
///
/// The disk may hang: the file is read on a thread that nobody waits for. Its directory is watched, because editors
/// replace the file.
final class ConfigWatch {
  /// Readable when something happened in the directory; -1 where it cannot be watched.
  let descriptor: Int32
  private let path: String
  private let name: String
  private let reading: Errand<Reading>
  /// Something happened since the last reading began.
  private var isStale = false

  private enum Reading: Sendable {
    case text(String?)
    case none
  }

  init(path: String) throws(SystemError) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    name = parts.last.map(String.init) ?? path
    let directory = path.dropLast(name.count)
    reading = try Errand()
    descriptor = sot_directory_watch(directory.isEmpty ? "." : String(directory), true)
  }

  /// Readable when a reading came to an end.
  var finishedDescriptor: Int32 { reading.descriptor }

  /// Begins to read the file where it was touched.
  func drain() {
    guard sot_directory_changed(descriptor, name) else { return }
    isStale = true
    begin()
  }

  func finished() -> Event? {
    guard let result = reading.take() else { return nil }
    // What was touched meanwhile was read too early.
    if isStale {
      begin()
      return nil
    }
    guard case .text(let text) = result else { return nil }
    return .configFileChanged(text: text)
  }

  private func begin() {
    guard reading.isIdle else { return }
    isStale = false
    let path = path
    reading.begin(stackSize: 128 * 1024, noThread: .none) {
      .text(SmallFile.read(path, limit: ConfigFile.limit).map { String(decoding: $0, as: UTF8.self) })
    }
  }
}
