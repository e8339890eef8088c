import Foundation

/// Tells its subscribers of events.
///
/// Its known bug: it goes through its list by index while a subscriber that is told takes itself off the list. The lock
/// does not help, because it is the same thread.
extension Wrong {
  final class EventBus: @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSRecursiveLock()
    private var subscribers: [(id: Int, handler: @Sendable (String) -> Void)] = []
    private var lastID = 0

    func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int {
      lock.withLock {
        lastID += 1
        subscribers.append((lastID, handler))
        return lastID
      }
    }

    func unsubscribe(_ id: Int) { lock.withLock { subscribers.removeAll { $0.id == id } } }

    func post(_ event: String) {
      lock.withLock {
        for index in 0..<subscribers.count { subscribers[index].handler(event) }
      }
    }
  }
}

extension Right {
  final class EventBus: @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSRecursiveLock()
    private var subscribers: [(id: Int, handler: @Sendable (String) -> Void)] = []
    private var lastID = 0

    func subscribe(_ handler: @escaping @Sendable (String) -> Void) -> Int {
      lock.withLock {
        lastID += 1
        subscribers.append((lastID, handler))
        return lastID
      }
    }

    func unsubscribe(_ id: Int) { lock.withLock { subscribers.removeAll { $0.id == id } } }

    func post(_ event: String) {
      let current = lock.withLock { subscribers }
      for subscriber in current { subscriber.handler(event) }
    }
  }
}
