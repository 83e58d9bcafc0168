import DaemonCore
import Glibc

/// The note in the runtime directory of a press that had begun when the daemon ended, for the next run of this boot.
enum KeptEdges {
  static func write(_ edges: [Edge], in directories: Directories) {
    let words = edges.map { "\($0.pressed ? "+" : "-")\($0.at.nanoseconds)" }
    let text = ([directories.bootID] + words).joined(separator: " ") + "\n"
    // Best effort, and of this boot only: without it that press has to be made again.
    _ = AtomicFile.write(Array(text.utf8), to: directories.keptEdges, durably: false)
  }

  /// Oldest first; empty when there is no note or it is of another boot. What was told once is not told again.
  static func take(from directories: Directories) -> [Edge] {
    let bytes = SmallFile.read(directories.keptEdges, limit: 256) ?? []
    unlink(directories.keptEdges)
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" })
    guard words.first.map(String.init) == directories.bootID else { return [] }
    return words.dropFirst().compactMap { word in
      guard let sign = word.first, let nanoseconds = Int64(word.dropFirst()) else { return nil }
      return Edge(pressed: sign == "+", at: BootTime(nanoseconds: nanoseconds))
    }
  }
}
