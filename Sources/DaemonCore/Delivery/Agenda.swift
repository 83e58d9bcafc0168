/// Slots in the order of their instants, and of equal ones in the order of arrival: a binary heap.
///
/// Nothing is ever taken out of the middle. Whoever asks for the first drops what no longer holds as it surfaces.
struct Agenda: Sendable {
  struct Entry: Sendable {
    var due: BootTime
    /// Counts arrivals.
    var serial: Int
    var slot: Int

    static func < (left: Entry, right: Entry) -> Bool {
      left.due == right.due ? left.serial < right.serial : left.due < right.due
    }
  }

  private var heap: [Entry] = []

  var count: Int { heap.count }
  var first: Entry? { heap.first }

  mutating func removeAll() { heap = [] }

  mutating func add(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[child] < heap[(child - 1) / 2] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var (parent, least) = (0, 0)
    repeat {
      parent = least
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
        least = child
      }
      if least != parent { heap.swapAt(parent, least) }
    } while least != parent
  }
}
