import Synchronization

extension Tasked {
  /// Each upload is a task that awaits the one before: first in, first out, like the queue. And because it says what it
  /// waits for, an urgent one makes those ahead of it as urgent.
  final class Uploads: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)
    private let send: @Sendable (Upload) async -> Void

    init(send: @escaping @Sendable (Upload) async -> Void) {
      self.send = send
    }

    func submit(_ batch: [Upload]) {
      for upload in batch {
        last.withLock { last in
          last = Task(priority: upload.isUrgent ? .high : .low) { [send, last] in
            await last?.value
            await send(upload)
          }
        }
      }
    }

    func finish() async {
      await last.withLock(\.self)?.value
    }
  }
}
