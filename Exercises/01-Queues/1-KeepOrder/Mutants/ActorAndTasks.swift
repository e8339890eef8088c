// Looks right: an actor writes one event at a time, and close awaits every task. Wrong: the tasks
// reach the actor in any order, and each write lets the next one in.

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

    init(write: @escaping @Sendable (String) async -> Void) {
      self.write = write
    }

    func append(_ event: DoorEvent) async {
      await write(event.line)
    }
  }

  private let writer: Writer
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(write: @escaping @Sendable (String) async -> Void) {
    writer = Writer(write: write)
  }

  func record(_ event: DoorEvent) {
    let task = Task { await writer.append(event) }
    tasks.withLock { $0.append(task) }
  }

  func close() async {
    for task in tasks.withLock({ $0 }) { await task.value }
  }
}
