// Looks right: each task awaits the one before it, and close awaits the last. Wrong: close also says
// that the log is closed, and the events that still wait for their turn believe it.

import Synchronization

/// Something that happened at a door.
struct DoorEvent: Sendable {
  let badge: Int
  let action: String

  var line: String { "\(action) \(badge)" }
}

/// Keeps a record of what happens at a door, in the order in which it happens.
final class AuditLog: Sendable {
  private struct State {
    var last: Task<Void, Never>?
    var isOpen = true
  }

  private let write: @Sendable (String) async -> Void
  private let state = Mutex(State())

  init(write: @escaping @Sendable (String) async -> Void) {
    self.write = write
  }

  private var isOpen: Bool { state.withLock { $0.isOpen } }

  func record(_ event: DoorEvent) {
    state.withLock { state in
      state.last = Task { [previous = state.last] in
        await previous?.value
        if isOpen { await write(event.line) }
      }
    }
  }

  func close() async {
    let last = state.withLock { state in
      state.isOpen = false
      return state.last
    }
    await last?.value
  }
}
