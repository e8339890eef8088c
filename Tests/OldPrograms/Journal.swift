import Synchronization

/// What a scenario's parts did, in the order in which they did it.
final class Journal<Entry: Sendable>: Sendable {
  private let entries = Mutex<[Entry]>([])

  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }

  var all: [Entry] { entries.withLock { $0 } }
}
