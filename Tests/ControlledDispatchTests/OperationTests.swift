import ControlledDispatch
import Interleaving
import Testing

// Interleaving has a type of that name within the package.
private typealias Operation = ControlledDispatch.Operation

/// An operation that a queue asks whether it is ready, since its class might say so itself.
private final class Page: ControlledDispatch.Operation, @unchecked Sendable {
  // Sendable: nothing of its own changes.
}

@Suite(.timeLimit(.minutes(30))) struct OperationTests {
  // MARK: Behaviour

  @Test func `operations of a queue run beside each other`() async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      let queue = OperationQueue()
      for _ in 0..<2 { queue.addOperation { counter.value += 1 } }
      queue.waitUntilAllOperationsAreFinished()
      return counter.value
    }
    #expect(Set(exploration.outcomes.keys) == [1, 2])
    #expect(!exploration.failures.isEmpty && exploration.failures.allSatisfy { $0.kind == .race })
    #expect(exploration.schedules == 4)
    #expect(exploration.isComplete, "\(exploration.completeness)")
  }

  @Test func `operations that share nothing commute`() async {
    let exploration = await explore(reduced) {
      let queue = OperationQueue()
      for _ in 0..<4 { queue.addOperation {} }
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(exploration.schedules == 1)
    expectClean(exploration)
  }

  @Test func `a queue of width one guards what its operations share`() async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      for _ in 0..<3 { queue.addOperation { counter.value += 1 } }
      queue.waitUntilAllOperationsAreFinished()
      return counter.value
    }
    #expect(Set(exploration.outcomes.keys) == [3])
    expectClean(exploration)
  }

  @Test func `no more run at a time than the width says`() async {
    let exploration = await explore(reduced) {
      let (running, most) = (Count(), Count())
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 2
      queue.addOperations(
        (0..<3).map { _ in
          BlockOperation {
            most.raise(to: running.add(1))
            running.add(-1)
          }
        }, waitUntilFinished: true)
      return most.value
    }
    #expect(Set(exploration.outcomes.keys) == [1, 2])
    expectClean(exploration)
  }

  @Test func `a dependency begins after the end of what it depends on`() async {
    let exploration = await explore(reduced) {
      let text = Shared("")
      let first = BlockOperation { text.value += "a" }
      let second = BlockOperation { text.value += "b" }
      second.addDependency(first)
      OperationQueue().addOperation(second)
      OperationQueue().addOperation(first)
      second.waitUntilFinished()
      return text.value
    }
    #expect(Set(exploration.outcomes.keys) == ["ab"])
    #expect(exploration.schedules == 1)
    expectClean(exploration)
  }

  @Test func `many dependencies and one that joins them take one schedule`() async {
    let exploration = await explore(reduced) {
      let parts = (0..<3).map { Shared($0) }
      let sum = Shared(0)
      let join = BlockOperation { sum.value = parts.map(\.value).reduce(0, +) }
      let operations = parts.map { part in BlockOperation { part.value += 1 } }
      for operation in operations { join.addDependency(operation) }
      let queue = OperationQueue()
      for operation in operations + [join] { queue.addOperation(operation) }
      queue.waitUntilAllOperationsAreFinished()
      return sum.value
    }
    #expect(Set(exploration.outcomes.keys) == [6])
    #expect(exploration.schedules == 1)
    expectClean(exploration)
  }

  @Test func `a dependency that was removed holds nothing back`() async {
    let exploration = await explore(reduced) {
      let never = BlockOperation {}
      let operation = BlockOperation {}
      operation.addDependency(never)
      operation.removeDependency(never)
      OperationQueue().addOperation(operation)
      operation.waitUntilFinished()
      return operation.dependencies.count
    }
    #expect(Set(exploration.outcomes.keys) == [0])
    expectClean(exploration)
  }

  @Test func `of those that are ready the highest priority goes first, then who came first`()
    async
  {
    let exploration = await explore(reduced) {
      let text = Shared("")
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.isSuspended = true
      let priorities: [(String, Operation.QueuePriority)] = [
        ("l", .low), ("m", .normal), ("h", .veryHigh), ("n", .normal),
      ]
      for (word, priority) in priorities {
        let operation = BlockOperation { text.value += word }
        operation.queuePriority = priority
        queue.addOperation(operation)
      }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return text.value
    }
    #expect(Set(exploration.outcomes.keys) == ["hmnl"])
    expectClean(exploration)
  }

  @Test func `who has a place keeps it when a higher priority comes`() async {
    let exploration = await explore(reduced) {
      let text = Shared("")
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.addOperation { text.value += "l" }
      let high = BlockOperation { text.value += "h" }
      high.queuePriority = .veryHigh
      queue.addOperation(high)
      queue.waitUntilAllOperationsAreFinished()
      return text.value
    }
    #expect(Set(exploration.outcomes.keys) == ["lh"])
    expectClean(exploration)
  }

  @Test(arguments: [-1, 2])
  func `a barrier comes after what was before it and before what comes later`(width: Int) async {
    let exploration = await explore(reduced) {
      let (first, second) = (Shared(0), Shared(0))
      let sum = Shared(0)
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = width
      queue.addOperation { first.value = 1 }
      queue.addOperation { second.value = 2 }
      queue.addBarrierBlock { sum.value = first.value + second.value }
      queue.addOperation { sum.value *= 10 }
      queue.waitUntilAllOperationsAreFinished()
      return sum.value
    }
    #expect(Set(exploration.outcomes.keys) == [30])
    expectClean(exploration)
  }

  @Test func `a cancel comes before the beginning or too late for it`() async {
    let exploration = await explore(reduced) {
      let ran = Shared(false)
      let operation = BlockOperation { ran.value = true }
      OperationQueue().addOperation(operation)
      operation.cancel()
      operation.waitUntilFinished()
      return [ran.value, operation.isCancelled]
    }
    #expect(
      Set(exploration.outcomes.keys) == [[false, true], [true, true], [true, false]])
    expectClean(exploration)
  }

  @Test func `all that is in a queue is cancelled, and finishes`() async {
    let exploration = await explore(reduced) {
      let ran = Shared(0)
      let queue = OperationQueue()
      queue.isSuspended = true
      for _ in 0..<2 { queue.addOperation { ran.value += 1 } }
      queue.cancelAllOperations()
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return [ran.value, queue.operationCount]
    }
    #expect(Set(exploration.outcomes.keys) == [[0, 0]])
    expectClean(exploration)
  }

  @Test func `one that is cancelled as it says that it is ready gets its turn`() async {
    let exploration = await explore(reduced) {
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 2
      queue.isSuspended = true
      let (first, second) = (Page(), Page())
      second.addDependency(first)
      queue.addOperations([first, second], waitUntilFinished: false)
      queue.cancelAllOperations()
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      return [first.isFinished, second.isFinished]
    }
    #expect(Set(exploration.outcomes.keys) == [[true, true]])
    expectClean(exploration)
  }

  @Test func `blocks of one operation run beside each other, and it ends with the last`() async {
    let exploration = await explore(reduced) {
      let count = Atomics(false)
      let other = Atomics(false)
      let operation = BlockOperation { count.value.store(true, ordering: .relaxed) }
      operation.addExecutionBlock { other.value.store(true, ordering: .relaxed) }
      operation.start()
      return count.value.load(ordering: .relaxed) && other.value.load(ordering: .relaxed)
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    #expect(exploration.schedules == 1)
    expectClean(exploration)
  }

  @Test func `a completion block runs after the end`() async {
    let exploration = await explore(reduced) {
      let done = DispatchSemaphore(value: 0)
      let operation = BlockOperation {}
      operation.completionBlock = { [unowned operation] in
        if operation.isFinished { done.signal() }
      }
      OperationQueue().addOperation(operation)
      done.wait()
    }
    expectClean(exploration)
  }

  @Test func `a finished operation may still be counted`() async {
    let exploration = await explore(reduced) {
      let queue = OperationQueue()
      let operation = BlockOperation {}
      queue.addOperation(operation)
      operation.waitUntilFinished()
      return queue.operationCount
    }
    #expect(Set(exploration.outcomes.keys) == [0, 1])
    expectClean(exploration)
  }

  @Test func `the main queue runs one at a time, and an operation knows its queue`() async {
    let exploration = await explore(reduced) {
      let counter = Shared(0)
      let operations = (0..<2).map { _ in
        BlockOperation { if OperationQueue.current === OperationQueue.main { counter.value += 1 } }
      }
      OperationQueue.main.addOperations(operations, waitUntilFinished: true)
      return counter.value
    }
    #expect(Set(exploration.outcomes.keys) == [2])
    expectClean(exploration)
  }

  @Test(arguments: [true, false])
  func `a concurrent operation that posts its end`(byKey: Bool) async {
    let exploration = await explore(reduced) {
      let operation = Fetch(postsEnd: true, byKey: byKey)
      let next = BlockOperation {}
      next.addDependency(operation)
      let queue = OperationQueue()
      queue.addOperations([operation, next], waitUntilFinished: true)
      return operation.isFinished && next.isFinished
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    expectClean(exploration)
  }

  // MARK: Hangs, and what helps

  @Test(arguments: [-1, 1]) func `a cycle of dependencies`(width: Int) async throws {
    let exploration = await explore(reduced) { dependOnEachOther(width) { _ in } }
    let deadlock = try #require(exploration.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(deadlock.message.hasPrefix("a cycle of 2: BlockOperation load waits for the "))
    #expect(deadlock.message.contains("of BlockOperation load, held by BlockOperation store; "))
    #expect(deadlock.message.hasSuffix("of BlockOperation store, held by BlockOperation load"))
    #expect(exploration.isComplete)

    let cancelled = await explore(reduced) { dependOnEachOther(width) { $0.cancel() } }
    expectClean(cancelled)
  }

  @Test func `an operation that waits for its own queue`() async throws {
    let exploration = await explore(reduced) {
      let queue = OperationQueue()
      let operation = BlockOperation { queue.waitUntilAllOperationsAreFinished() }
      operation.name = "load"
      queue.addOperation(operation)
      operation.waitUntilFinished()
    }
    let deadlock = try #require(exploration.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(
      deadlock.message
        == "a cycle of 1: BlockOperation load waits for the end of BlockOperation load, "
        + "held by BlockOperation load")
    #expect(exploration.isComplete)

    let elsewhere = await explore(reduced) {
      let (queue, other) = (OperationQueue(), OperationQueue())
      other.addOperation {}
      let operation = BlockOperation { other.waitUntilAllOperationsAreFinished() }
      queue.addOperation(operation)
      operation.waitUntilFinished()
    }
    expectClean(elsewhere)
  }

  @Test func `an operation that waits for one behind it`() async throws {
    let exploration = await explore(reduced) { waitForOneBehind(1) }
    let deadlock = try #require(exploration.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(
      deadlock.message
        == "a cycle of 2: BlockOperation first waits for the end of BlockOperation second, held by "
        + "BlockOperation second; BlockOperation second waits for the turn of BlockOperation second, "
        + "held by BlockOperation first")
    #expect(exploration.isComplete)

    expectClean(await explore(reduced) { waitForOneBehind(2) })
  }

  @Test func `waiting for an operation that nobody adds`() async throws {
    let exploration = await explore(reduced) {
      let operation = BlockOperation {}
      operation.waitUntilFinished()
    }
    let deadlock = try #require(exploration.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(deadlock.message.contains("suspected"))
    #expect(deadlock.message.contains("waits for the end of BlockOperation"))

    let started = await explore(reduced) {
      let operation = BlockOperation {}
      operation.start()
      operation.waitUntilFinished()
    }
    expectClean(started)
  }

  @Test func `a concurrent operation that never posts its end`() async throws {
    let exploration = await explore(reduced) {
      let operation = Fetch(postsEnd: false, byKey: false)
      OperationQueue().addOperation(operation)
      operation.waitUntilFinished()
    }
    let deadlock = try #require(exploration.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(deadlock.message.contains("waits for the end of Fetch"))
  }

  @Test func `a queue that nobody resumes`() async throws {
    let exploration = await explore(reduced) {
      let queue = OperationQueue()
      queue.isSuspended = true
      queue.addOperation {}
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(try #require(exploration.failures.first).kind == .deadlock)
  }

  // MARK: Traps

  @Test func `what ends the process`() async throws {
    await expectTrap("adds BlockOperation to OperationQueue, but it is in a queue, executing") {
      let operation = BlockOperation {}
      let queue = OperationQueue()
      queue.addOperation(operation)
      queue.addOperation(operation)
    }
    await expectTrap("adds BlockOperation to OperationQueue, but it is in a queue, executing") {
      let operation = BlockOperation {}
      operation.start()
      OperationQueue().addOperation(operation)
    }
    await expectTrap("starts BlockOperation, which is not ready") {
      let operation = BlockOperation {}
      operation.addDependency(BlockOperation {})
      operation.start()
    }
    await expectTrap("starts BlockOperation, which is in a queue") {
      let queue = OperationQueue()
      queue.isSuspended = true
      let operation = BlockOperation {}
      queue.addOperation(operation)
      operation.start()
    }
    await expectTrap("adds a block to BlockOperation, which has begun or finished") {
      let operation = BlockOperation {}
      operation.start()
      operation.addExecutionBlock {}
    }
  }

  @Test func `the last of two settings holds`() async {
    let exploration = await explore(reduced) {
      let operation = BlockOperation {}
      let done = DispatchSemaphore(value: 0)
      let completions = Shared("", "completions")
      strands(
        {
          operation.queuePriority = .low
          operation.completionBlock = {
            completions.value += "A"
            done.signal()
          }
        },
        {
          operation.queuePriority = .high
          operation.completionBlock = {
            completions.value += "B"
            done.signal()
          }
        })
      operation.start()
      done.wait()
      return "\(operation.queuePriority) \(completions.value)"
    }
    #expect(Set(exploration.outcomes.keys) == ["low A", "low B", "high A", "high B"])
    expectClean(exploration)
  }

  @Test func `a queue keeps no operation that has finished`() async {
    let exploration = await explore(reduced, time: .passesWhenIdle) {
      let queue = OperationQueue()
      weak var operation: Operation?
      do {
        let added = BlockOperation {}
        operation = added
        queue.addOperation(added)
      }
      queue.addBarrierBlock {}
      queue.waitUntilAllOperationsAreFinished()
      Thread.sleep(forTimeInterval: 1)
      return operation == nil
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    expectClean(exploration)
  }

  @Test func `one operation started by two`() async throws {
    let exploration = await explore(reduced) {
      let operation = BlockOperation { Thread.sleep(forTimeInterval: 1) }
      strands({ operation.start() }, { operation.start() })
    }
    let trap = try #require(exploration.failures.first { $0.kind == .trap })
    #expect(trap.message.hasSuffix("starts BlockOperation, which is executing already"))
  }
}

func expectTrap(
  _ reason: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () -> Void
) async {
  let exploration = await explore(reduced) { scenario() }
  #expect(
    exploration.failures.contains { $0.kind == .trap && $0.message.contains(reason) },
    "\(exploration)", sourceLocation: sourceLocation)
}

func expectClean<Outcome>(
  _ exploration: Exploration<Outcome>, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(exploration.isComplete, "\(exploration.completeness)", sourceLocation: sourceLocation)
  #expect(exploration.failures.isEmpty, "\(exploration)", sourceLocation: sourceLocation)
}

/// Two operations each of which depends on the other, in a queue.
private func dependOnEachOther(_ width: Int, _ cure: (Operation) -> Void) {
  let load = BlockOperation {}
  load.name = "load"
  let store = BlockOperation {}
  store.name = "store"
  load.addDependency(store)
  store.addDependency(load)
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  queue.addOperations([load, store], waitUntilFinished: false)
  cure(load)
  queue.waitUntilAllOperationsAreFinished()
}

/// Two operations of which the first waits for the second.
private func waitForOneBehind(_ width: Int) {
  let second = BlockOperation {}
  second.name = "second"
  let first = BlockOperation { second.waitUntilFinished() }
  first.name = "first"
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  queue.addOperations([first, second], waitUntilFinished: true)
}

/// An operation that goes on in a thread after `start` has returned.
private final class Fetch: Operation, @unchecked Sendable {
  // Sendable: what it keeps is guarded by the lock.
  private let lock = NSLock()
  private var isDone = false
  private let postsEnd: Bool
  private let byKey: Bool

  init(postsEnd: Bool, byKey: Bool) {
    self.postsEnd = postsEnd
    self.byKey = byKey
    super.init()
  }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { !isDone } }
  override var isFinished: Bool { lock.withLock { isDone } }

  override func start() {
    guard postsEnd else { return }
    Thread.detachNewThread { [self] in
      if byKey {
        willChangeValue(forKey: "isFinished")
      } else {
        willChangeValue(for: \.isFinished)
      }
      lock.withLock { isDone = true }
      if byKey {
        didChangeValue(forKey: "isFinished")
      } else {
        didChangeValue(for: \.isFinished)
      }
    }
  }
}

/// How many of something there are.
private final class Count: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  @discardableResult
  func add(_ number: Int) -> Int { count.add(number, ordering: .relaxed).newValue }
  func raise(to number: Int) { count.max(number, ordering: .relaxed) }
}
