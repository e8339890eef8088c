// Looks right: events are numbered when they come, and the lowest number is written first. Wrong:
// what is lowest of those that have arrived need not be the next one.

import Synchronization

/// Something that happened at a door.
struct DoorEvent: Sendable {
  let badge: Int
  let action: String

  var line: String { "\(action) \(badge)" }
}

/// Keeps a record of what happens at a door, in the order in which it happens.
final class AuditLog: Sendable {
  private actor Writer {
    private let write: @Sendable (String) async -> Void
    private var waiting: [(number: Int, event: DoorEvent)] = []
    private var isWriting = false

    init(write: @escaping @Sendable (String) async -> Void) {
      self.write = write
    }

    func append(_ event: DoorEvent, number: Int) async {
      waiting.append((number, event))
      guard !isWriting else { return }
      isWriting = true
      while !waiting.isEmpty {
        waiting.sort { $0.number < $1.number }
        await write(waiting.removeFirst().event.line)
      }
      isWriting = false
    }
  }

  private let writer: Writer
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(write: @escaping @Sendable (String) async -> Void) {
    writer = Writer(write: write)
  }

  func record(_ event: DoorEvent) {
    tasks.withLock { tasks in
      let number = tasks.count
      tasks.append(Task { await writer.append(event, number: number) })
    }
  }

  func close() async {
    for task in tasks.withLock({ $0 }) { await task.value }
  }
}
