import Foundation
import Interleaving
import Testing

/// A strand that reads under a lock of readers and a writer locks it to read once more.
@Suite(.requiresWatching) struct ReadAgainTests {
  /// A number under a lock of readers and a writer.
  // Sendable: what uses `number` holds the lock.
  private final class Entry: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
    private var number = 0

    init() { pthread_rwlock_init(lock, nil) }

    deinit {
      pthread_rwlock_destroy(lock)
      lock.deallocate()
    }

    func read<R>(_ body: (Int) -> R) -> R {
      pthread_rwlock_rdlock(lock)
      defer { pthread_rwlock_unlock(lock) }
      return body(number)
    }

    func increment() {
      pthread_rwlock_wrlock(lock)
      number += 1
      pthread_rwlock_unlock(lock)
    }
  }

  private func assumptions(
    _ first: @escaping @Sendable (Entry) -> Int, _ second: @escaping @Sendable (Entry) -> Void
  ) async -> [Strategy.Assumption]? {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let entry = Entry()
      async let read = first(entry)
      async let other: Void = second(entry)
      await other
      return await read
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    guard case .complete(let assumptions) = exploration.completeness else { return nil }
    return assumptions
  }

  @Test func `beside a writer it is said what that leans on`() async {
    let found = await assumptions(
      { entry in entry.read { _ in entry.read { $0 } } }, { $0.increment() })
    #expect(found == [.readersFirst(lock: "readers–writers lock")])
    #expect(
      "\(Completeness.complete(assuming: found ?? []))"
        == "complete, assuming that who has locked a readers–writers lock to read may do so once more while a writer "
        + "waits, as on Linux")
  }

  @Test func `so it is the third time`() async {
    let found = await assumptions(
      { entry in
        entry.read { _ in entry.read { _ in entry.read { $0 } } }
      }, { $0.increment() })
    #expect(found?.count == 1)
  }

  @Test func `without a writer nothing is assumed`() async {
    let found = await assumptions(
      { entry in entry.read { _ in entry.read { $0 } } }, { entry in entry.read { _ in } })
    #expect(found == [])
  }

  @Test func `nor where it has unlocked before`() async {
    let found = await assumptions(
      { entry in entry.read { $0 } + entry.read { $0 } }, { $0.increment() })
    #expect(found == [])
  }

  @Test func `nor where another strand reads`() async {
    let found = await assumptions(
      { entry in entry.read { $0 } },
      { entry in
        entry.read { _ in }
        entry.increment()
      })
    #expect(found == [])
  }

  @Test func `nor where the writer writes to another lock`() async {
    let found = await assumptions(
      { entry in entry.read { _ in entry.read { $0 } } }, { _ in Entry().increment() })
    #expect(found == [])
  }
}
