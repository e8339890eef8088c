import ControlledDispatch
import Interleaving
import Testing

/// How many executions the reduction takes: one for each class.
@Suite(.timeLimit(.minutes(30))) struct CountTests {
  @Test(arguments: [2: 4, 3: 36])
  func `unguarded increments`(count: Int, executions: Int) async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      strands((0..<count).map { _ in { counter.value += 1 } })
      return counter.value
    }
    #expect(exploration.schedules == executions)
    #expect(Set(exploration.outcomes.keys) == Set(1...count))
    #expect(exploration.isComplete, "\(exploration.completeness)")
    #expect(!exploration.failures.isEmpty && exploration.failures.allSatisfy { $0.kind == .race })
  }

  /// What is done for bookkeeping, in an order that nobody can tell, is no class.
  @Test(arguments: Bookkeeping.allCases)
  func `bookkeeping adds no classes`(_ bookkeeping: Bookkeeping) async {
    let exploration = await explore(
      reduced, time: bookkeeping.isTimed ? .passesWhenIdle : .passesAtAnyStep
    ) { bookkeeping.run() }
    #expect(exploration.schedules == bookkeeping.classes, "\(exploration)")
    #expect(exploration.isComplete)
  }

  enum Bookkeeping: CaseIterable {
    case globalBlocks, group, operations, operationsOneByOne, debouncer, delayedBlock

    var isTimed: Bool { self == .debouncer || self == .delayedBlock }

    var classes: Int {
      switch self {
      // The orders of four updates.
      case .globalBlocks: 24
      case .group, .delayedBlock: 1
      // Of four operations that finish, two at a time, in eight orders, each with those of the updates.
      case .operations: 36
      case .operationsOneByOne: 1
      // Which strand is first, and whose block it is that runs.
      case .debouncer: 4
      }
    }

    func run() -> Int {
      let sum = Atomic(0)
      let add: @Sendable () -> Void = { sum.add(1, ordering: .relaxed) }
      let group = DispatchGroup()
      let queue = DispatchQueue(label: "queue")
      switch self {
      case .globalBlocks:
        for _ in 0..<4 { DispatchQueue.global().async(group: group, execute: add) }
        group.wait()
      case .group:
        for _ in 0..<4 { DispatchQueue.global().async(group: group) {} }
        group.wait()
      case .operations, .operationsOneByOne:
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = self == .operations ? 2 : 1
        for _ in 0..<4 { operations.addOperation(add) }
        operations.waitUntilAllOperationsAreFinished()
      case .debouncer:
        let last = Mutex<DispatchWorkItem?>(nil)
        let call: @Sendable () -> Void = {
          let item = DispatchWorkItem(block: add)
          last.withLock {
            $0?.cancel()
            $0 = item
            queue.asyncAfter(deadline: .now() + 0.3, execute: item)
          }
        }
        strands(call, call)
        Thread.sleep(forTimeInterval: 1)
      case .delayedBlock:
        strands(
          { queue.async(execute: add) },
          { queue.asyncAfter(deadline: .now() + 0.1, execute: add) })
        Thread.sleep(forTimeInterval: 1)
      }
      return sum.load(ordering: .relaxed)
    }
  }

  @Test func `increments under a lock`() async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      let lock = NSLock()
      strands((0..<2).map { _ in { lock.withLock { counter.value += 1 } } })
      return counter.value
    }
    #expect(exploration.schedules == 2)
    #expect(Set(exploration.outcomes.keys) == [2])
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.isComplete)
  }

  @Test func `check, then act`() async {
    let exploration = await explore(reduced) {
      let isTaken = Shared(false)
      let taken = Atomic(0)
      _ = taken.load(ordering: .relaxed)
      let claims = Shared(0)
      _ = claims
      strands((0..<2).map { _ in { if !isTaken.value { isTaken.value = true } } })
      return isTaken.value
    }
    #expect(exploration.schedules == 4)
    #expect(exploration.isComplete)
  }

  @Test func `one atomic exchange`() async {
    let exploration = await explore(reduced) {
      let isTaken = Atomics(false)
      strands((0..<2).map { _ in { _ = isTaken.value.exchange(true, ordering: .relaxed) } })
      return isTaken.value.load(ordering: .relaxed)
    }
    #expect(exploration.schedules == 2)
    #expect(exploration.isComplete)
    #expect(exploration.failures.isEmpty)
  }

  @Test func `two locks crosswise, and in one order`() async throws {
    let crosswise = await explore(reduced) { pairs([(0, 1), (1, 0)]) }
    #expect(crosswise.schedules == 3)
    let deadlock = try #require(crosswise.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(deadlock.schedules == 1)
    #expect(
      deadlock.message
        == "a cycle of 2: A waits for NSLock in pairs 2, held by B; B waits for NSLock in pairs, held by A"
    )
    #expect(crosswise.isComplete)

    let ordered = await explore(reduced) { pairs([(0, 1), (0, 1)]) }
    #expect(ordered.schedules == 2)
    #expect(ordered.failures.isEmpty)
    #expect(ordered.isComplete)
  }

  @Test func `three philosophers, and by hierarchy`() async throws {
    let cycle = await explore(reduced) { pairs([(0, 1), (1, 2), (2, 0)]) }
    #expect(cycle.schedules == 7)
    let deadlock = try #require(cycle.failures.first)
    #expect(deadlock.schedules == 1)
    #expect(deadlock.message.hasPrefix("a cycle of 3: "))
    #expect(cycle.isComplete)

    let hierarchy = await explore(reduced) { pairs([(0, 1), (1, 2), (0, 2)]) }
    #expect(hierarchy.schedules == 6)
    #expect(hierarchy.failures.isEmpty)
    #expect(hierarchy.isComplete)
  }

  @Test func `three strands, two locked increments each`() async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      let lock = NSLock()
      strands(
        (0..<3).map { _ in
          {
            lock.withLock { counter.value += 1 }
            lock.withLock { counter.value += 1 }
          }
        })
      return counter.value
    }
    #expect(exploration.schedules == 90)
    #expect(Set(exploration.outcomes.keys) == [6])
    #expect(exploration.failures.isEmpty)
    #expect(exploration.isComplete)
  }

  @Test func `what signals and what leaves commute`() async {
    let signals = await explore(reduced) {
      let semaphore = DispatchSemaphore(value: 0)
      strands({ semaphore.signal() }, { semaphore.signal() })
    }
    #expect(signals.schedules == 1)
    let wakeUp = await explore(reduced) {
      let semaphore = DispatchSemaphore(value: 0)
      strands({ semaphore.signal() }, { semaphore.signal() }, { semaphore.wait() })
    }
    #expect(wakeUp.schedules == 3)
  }
}

let reduced = Strategy.reduced(assuming: .controlledSharing)

/// An atomic that closures can share.
final class Atomics: Sendable {
  let value: Atomic<Bool>
  init(_ value: Bool) { self.value = Atomic(value) }
}

/// Strands each of which takes two locks, one within the other.
func pairs(_ orders: [(Int, Int)]) {
  let locks = (0..<3).map { _ in NSLock() }
  strands(
    orders.map { first, second in
      { locks[first].withLock { locks[second].withLock {} } }
    })
}
