import Interleaving
import Synchronization
import Testing

/// As many of a kind as code may have: nothing is dropped where there are more than a few.
@Suite(.requiresWatching) struct ManyTests {
  private final class Chest: Sendable {
    let locks: [Box]
    let count = Mutex(0)

    final class Box: Sendable { let lock = Mutex(()) }

    init(_ count: Int) { locks = (0..<count).map { _ in Box() } }

    /// Adds one with all locks taken, one within the other.
    func add(from index: Int = 0) {
      guard index < locks.count else { return count.withLock { $0 += 1 } }
      locks[index].lock.withLock { _ in add(from: index + 1) }
    }
  }

  @Test(arguments: [16, 17, 18, 33, 40, 100])
  func `locks, one within the other`(number: Int) async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let chest = Chest(number)
      async let first: Void = chest.add()
      async let second: Void = chest.add()
      _ = await (first, second)
      return chest.count.withLock { $0 }
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [2])
    #expect(exploration.isComplete && exploration.schedules == 2, "\(exploration)")
  }

  @Test func `locks taken in the other order are a deadlock, the last as the first`() async {
    let exploration = await explore(.reduced(assuming: .actorIsolation), limit: 3_000) {
      let chest = Chest(20)
      let other = chest.locks[19]
      async let first: Void = chest.add()
      async let second: Void = other.lock.withLock { _ in chest.locks[18].lock.withLock { _ in } }
      _ = await (first, second)
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock], "\(exploration)")
  }

  @Test(arguments: [4, 17, 20])
  func `locks of tasks' statuses, one within the other`(number: Int) async {
    let exploration = await explore(
      .reduced(assuming: .actorIsolation), limit: 3_000, time: .passesWhenIdle
    ) {
      let ends = Chest(0)
      var next: Task<Void, Never>?
      for _ in 0..<number {
        next = Task { [next] in
          await withTaskCancellationHandler {
            try? await Task.sleep(for: .seconds(1))
          } onCancel: {
            next?.cancel()
            ends.add()
          }
        }
      }
      // Each has begun to sleep by then.
      try? await Task.sleep(for: .milliseconds(1))
      next?.cancel()
      await next?.value
      return ends.count.withLock { $0 }
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [number], "\(exploration)")
  }

  @Test(arguments: [8, 9, 24])
  func `relaxed loads before a fence that acquires`(number: Int) async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let flags = (0..<number).map { _ in Flag() }
      let box = Plain()
      async let writer: Void = {
        box.value = 1
        flags[0].flag.store(true, ordering: .releasing)
      }()
      async let reader: Int = {
        let isSet = flags.map { $0.flag.load(ordering: .relaxed) }
        atomicMemoryFence(ordering: .acquiring)
        return isSet[0] ? box.value : -1
      }()
      await writer
      return await reader
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [-1, 1])
  }

  private final class Flag: Sendable { let flag = Atomic(false) }
  // Sendable: what uses `value` is ordered by a flag and a fence.
  private final class Plain: @unchecked Sendable { var value = 0 }

  // Sendable is false on purpose: two tasks race for it, and under the explorer only.
  private final class Row: @unchecked Sendable {
    var (a, b, c, d, e) = (0, 0, 0, 0, 0)
    var (f, g, h, i, j) = (0, 0, 0, 0, 0)
    var last = 0

    func addToAll() {
      Self.add(&a, &b, &c, &d, &e, &f, &g, &h, &i, &j)
    }

    private static func add(
      _ a: inout Int, _ b: inout Int, _ c: inout Int, _ d: inout Int, _ e: inout Int,
      _ f: inout Int, _ g: inout Int, _ h: inout Int, _ i: inout Int, _ j: inout Int
    ) {
      let sum = a + b + c + d + e + f + g + h + i + j
      a = sum + 1
    }
  }

  @Test func `accesses that begin before any is used`() async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let row = Row()
      async let first: Void = row.addToAll()
      async let second: Void = row.addToAll()
      _ = await (first, second)
      return row.a
    }
    #expect(exploration.failures.allSatisfy { $0.kind == .race }, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [1, 2] && exploration.isComplete, "\(exploration)")
  }

  @Test func `children that had ended before they were awaited`() async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let tasks = (1...30).map { number in Task { number } }
      // Each has ended by then.
      try? await Task.sleep(for: .milliseconds(1))
      var sum = 0
      for task in tasks { sum += await task.value }
      let after = Task { sum }
      return await after.value
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [465])
    #expect(exploration.isComplete, "\(exploration)")
    #expect(exploration.schedules == 1)
  }
}
