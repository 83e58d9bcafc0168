/// What is to come, earliest first; of the same moment, in the order in which it was planned.
struct Agenda<Item> {
  private struct Entry {
    var at: Int64
    var order: Int
    var item: Item

    func comes(before other: Entry) -> Bool { at != other.at ? at < other.at : order < other.order }
  }

  /// A binary heap.
  private var entries: [Entry] = []
  private var count = 0

  var nextAt: Int64? { entries.first?.at }

  mutating func plan(_ item: Item, at instant: Int64) {
    count += 1
    entries.append(Entry(at: instant, order: count, item: item))
    var index = entries.count - 1
    while index > 0, entries[index].comes(before: entries[(index - 1) / 2]) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// The next item that is due by `now`.
  mutating func take(dueBy now: Int64) -> Item? {
    guard let first = entries.first, first.at <= now else { return nil }
    let last = entries.removeLast()
    if !entries.isEmpty {
      entries[0] = last
      sink()
    }
    return first.item
  }

  mutating func removeAll(where isUnwanted: (Item) -> Bool) {
    let kept = entries.filter { !isUnwanted($0.item) }
    entries = []
    let number = count
    for entry in kept.sorted(by: { $0.comes(before: $1) }) { plan(entry.item, at: entry.at) }
    count = max(count, number)
  }

  private mutating func sink() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && entries[child].comes(before: entries[least]) {
        least = child
      }
      guard least != index else { return }
      entries.swapAt(index, least)
      index = least
    }
  }
}
