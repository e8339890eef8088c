import Foundation
import Interleaving
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Explorations that find much, beside threads that come and go, and with them their memory.
@Suite(.requiresWatching) struct BesideThreadsTests {
  /// A hundred threads, each of which is another before long.
  private static func beginThreads(until isDone: Flag) {
    for _ in 0..<100 {
      Thread.detachNewThread {
        while !isDone.value.load(ordering: .relaxed) {
          let size = 1 << 20
          let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          memory?.storeBytes(of: 1, as: Int.self)
          let ended = DispatchSemaphore(value: 0)
          Thread.detachNewThread { ended.signal() }
          ended.wait()
          munmap(memory, size)
        }
      }
    }
  }

  private final class Flag: Sendable { let value = Atomic(false) }

  /// In this process, since what a death leaves of it is not to be tried elsewhere.
  @Test func `what is found costs no process`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let seconds = ProcessInfo.processInfo.environment["SECONDS"].flatMap(Double.init) ?? 1
      let end = ContinuousClock.now + .seconds(seconds)
      let isDone = Flag()
      Self.beginThreads(until: isDone)
      repeat {
        for finding in Finding.allCases {
          let exploration = await explore { await finding.run() }
          let kinds = Set(exploration.failures.map(\.kind))
          guard kinds == [finding.kind], exploration.failures.allSatisfy({ $0.trace != nil }) else {
            fatalError("\(finding): \(exploration)")
          }
        }
      } while .now < end
      isDone.value.store(true, ordering: .relaxed)
      exit(0)
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(result != nil, "\(text.suffix(3_000))")
  }

  enum Finding: CaseIterable, Sendable {
    case secondResume, trap, deadlock, race, leak, dropped

    var kind: Failure.Kind {
      switch self {
      case .secondResume: .resumedTwice
      case .trap: .trap
      case .deadlock: .deadlock
      case .race: .race
      case .leak, .dropped: .leak
      }
    }

    // Sendable is false on purpose: two tasks race for it, and under the explorer only.
    private final class Count: @unchecked Sendable { var value = 0 }

    private final class Locks: Sendable {
      let (first, second) = (Box(), Box())
      final class Box: Sendable { let lock = Mutex(()) }
    }

    func run() async {
      switch self {
      case .secondResume:
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          continuation.resume()
          continuation.resume()
        }
      case .trap:
        let numbers = (0..<2).filter { $0 > 5 }
        _ = numbers[Int("3")!]
      case .deadlock:
        let locks = Locks()
        async let one: Void = locks.first.lock.withLock { _ in locks.second.lock.withLock { _ in } }
        async let other: Void = locks.second.lock.withLock { _ in locks.first.lock.withLock { _ in }
        }
        _ = await (one, other)
      case .race:
        let count = Count()
        async let one: Void = { count.value += 1 }()
        async let other: Void = { count.value += 1 }()
        _ = await (one, other)
      case .leak:
        Task {
          try? await Task.sleep(for: .seconds(1))
          await Self.never()
        }
      case .dropped:
        Task { await Self.never() }
      }
    }

    private static func never() async {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }
}
