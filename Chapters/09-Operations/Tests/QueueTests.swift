import Foundation
import Synchronization
import Testing
import Workbook

@testable import Operations

/// What an operation queue gives, and what takes its place: each beside the other.
@Suite(.timeLimit(.minutes(30))) struct QueueTests {
  // MARK: Dependencies

  @Test func `a dependency holds across two queues; an await does, wherever it runs`() async {
    let (log, isOpen) = (Transcript(), Gate())
    let (network, pages) = (OperationQueue(), OperationQueue())
    let upload = Held(until: isOpen) { log.say("upload") }
    let page = BlockOperation { log.say("page") }
    page.addDependency(upload)
    pages.addOperation(page)
    network.addOperation(upload)
    isOpen.open()
    await pages.drained()
    #expect(log.steps == ["upload", "page"])

    let ported = Transcript()
    let task = Task { ported.say("upload") }
    await Task {
      await task.value
      ported.say("page")
    }.value
    #expect(ported.steps == ["upload", "page"])
  }

  @Test func `what depends on a cancelled operation runs all the same; an error stops it`() async {
    let (log, queue) = (Transcript(), OperationQueue())
    let upload = BlockOperation { log.say("upload") }
    let page = BlockOperation { log.say("page") }
    page.addDependency(upload)
    upload.cancel()
    queue.add([upload, page])
    await queue.drained()
    #expect(log.steps == ["page"])

    let (ported, isOpen) = (Transcript(), Gate())
    let task = Task {
      await isOpen.wait()
      try Task.checkCancellation()
      ported.say("upload")
    }
    task.cancel()
    isOpen.open()
    await #expect(throws: CancellationError.self) {
      try await task.value
      ported.say("page")
    }
    #expect(ported.steps.isEmpty)
  }

  #if !canImport(Darwin)
    @Test func `on Linux, an operation whose dependency was removed is never ready`() async {
      let (queue, log) = (OperationQueue(), Transcript())
      let (first, second) = (BlockOperation {}, BlockOperation { log.say("ran") })
      second.addDependency(first)
      second.removeDependency(first)
      #expect(second.dependencies.isEmpty)
      #expect(!second.isReady)
      queue.addOperation(first)
      await queue.drained()
      #expect(!second.isReady)
      // Cancelled, it is.
      second.cancel()
      #expect(second.isReady)
      #expect(log.steps.isEmpty)
    }
  #endif

  @Test func `one that is cancelled may be gone before what it depends on has ended`() async {
    // A process of its own: it would use memory that is not there any more.
    await #expect(processExitsWith: .success) {
      let (queue, isOpen) = (OperationQueue(), Gate())
      let (ends, held) = (Held(until: isOpen) {}, Held(until: Gate()) {})
      do {
        let cancelled = Held(until: Gate()) {}
        cancelled.addDependency(ends)
        queue.add([ends, cancelled])
        cancelled.cancel()
        await blocking { cancelled.waitUntilFinished() }
      }
      // One of these takes its memory.
      let others = (0..<100).map { _ in Held(until: Gate()) {} }
      for other in others { other.addDependency(held) }
      queue.add([held] + others)
      isOpen.open()
      await blocking { ends.waitUntilFinished() }
      // What is added later is started later.
      let last = BlockOperation {}
      queue.addOperation(last)
      await blocking { last.waitUntilFinished() }
      #expect(!others.contains { $0.isExecuting || $0.isFinished })
    }
  }

  // MARK: Order and width

  @Test func `a width is kept; a task group keeps it by awaiting one before it adds one`() async {
    let (old, new) = (Crowd(), Crowd())
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 2
    for _ in 0..<8 { queue.addOperation(Visit(to: old)) }
    await old.letOut(8, keeping: 2)
    await queue.drained()
    #expect(await old.most == 2)

    let door = Task { await new.letOut(8, keeping: 2) }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        if index >= 2 { await group.next() }
        group.addTask { await new.visit() }
      }
    }
    await door.value
    #expect(await new.most == 2)
  }

  @Test func `of equals the first to be added is the first to start; a loop has its order`() async {
    let log = Transcript()
    let queue = serialAndSuspended()
    for name in ["a", "b", "c", "d"] { queue.addOperation { log.say(name) } }
    queue.isSuspended = false
    await queue.drained()
    #expect(log.steps == ["a", "b", "c", "d"])

    let ported = Transcript()
    await Task { for name in ["a", "b", "c", "d"] { ported.say(name) } }.value
    #expect(ported.steps == log.steps)
  }

  @Test func `queue priority decides among those that are ready; a sorted loop does`() async {
    let names: [(String, Operation.QueuePriority)] = [
      ("low", .low), ("normal", .normal), ("very high", .veryHigh), ("high", .high),
    ]
    let log = Transcript()
    let queue = serialAndSuspended()
    for (name, priority) in names {
      let operation = BlockOperation { log.say(name) }
      operation.queuePriority = priority
      queue.addOperation(operation)
    }
    queue.isSuspended = false
    await queue.drained()
    #expect(log.steps == ["very high", "high", "normal", "low"])

    let ported = Transcript()
    await Task {
      for (name, _) in names.sorted(by: { $0.1.rawValue > $1.1.rawValue }) { ported.say(name) }
    }.value
    #expect(ported.steps == log.steps)
  }

  @Test func `a dependency comes before a priority`() async {
    let log = Transcript()
    let queue = serialAndSuspended()
    let (slow, urgent) = (BlockOperation { log.say("slow") }, BlockOperation { log.say("urgent") })
    slow.queuePriority = .veryLow
    urgent.queuePriority = .veryHigh
    urgent.addDependency(slow)
    queue.add([urgent, slow])
    queue.isSuspended = false
    await queue.drained()
    #expect(log.steps == ["slow", "urgent"])
  }

  #if os(Linux)
    @Test func `the queue's quality of service counts, and the operation's does not`() async {
      func nice(queue quality: QualityOfService, operation own: QualityOfService) async -> Int32 {
        let queue = OperationQueue()
        let value = Mutex<Int32>(0)
        queue.qualityOfService = quality
        let operation = BlockOperation {
          let nice = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
          value.withLock { $0 = nice }
        }
        operation.qualityOfService = own
        queue.addOperation(operation)
        await queue.drained()
        return value.withLock(\.self)
      }
      let background = await nice(queue: .background, operation: .userInitiated)
      let utility = await nice(queue: .utility, operation: .background)
      #expect(background == 10)
      #expect(utility == 2)
      let task = Task(priority: .background) { Task.basePriority }
      #expect(await task.value == .background)
    }
  #endif

  // MARK: Waiting

  @Test func `addOperations waits for all; so does a group`() async {
    let (log, ported) = (Transcript(), Transcript())
    await blocking {
      let operations = (0..<3).map { _ in BlockOperation { log.say("ran") } }
      OperationQueue().addOperations(operations, waitUntilFinished: true)
      log.say("all")
    }
    #expect(log.steps == ["ran", "ran", "ran", "all"])

    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 { group.addTask { ported.say("ran") } }
    }
    ported.say("all")
    #expect(ported.steps == log.steps)
  }

  @Test func `a barrier is between what was added before and after; two groups are`() async {
    let (log, ported) = (Transcript(), Transcript())
    let queue = OperationQueue()
    for _ in 0..<3 { queue.addOperation { log.say("before") } }
    queue.addBarrierBlock { log.say("barrier") }
    for _ in 0..<3 { queue.addOperation { log.say("after") } }
    await queue.drained()
    #expect(log.steps.split(separator: "barrier").map(Set.init) == [["before"], ["after"]])

    for word in ["before", "after"] {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { ported.say(word) } }
      }
      if word == "before" { ported.say("barrier") }
    }
    #expect(ported.steps == log.steps)
  }

  @Test func `a suspended queue starts nothing; a gate holds what awaits it`() async {
    let (log, ported) = (Transcript(), Transcript())
    let queue = serialAndSuspended()
    queue.addOperation { log.say("ran") }
    #expect(log.steps.isEmpty)
    #expect(queue.operationCount == 1)
    queue.isSuspended = false
    await queue.drained()
    #expect(log.steps == ["ran"])

    let gate = Gate()
    let task = Task {
      await gate.wait()
      ported.say("ran")
    }
    #expect(ported.steps.isEmpty)
    gate.open()
    await task.value
    #expect(ported.steps == ["ran"])
  }

  // MARK: Cancelling

  @Test func `one is cancelled, and the others are not; so with tasks`() async {
    let log = Transcript()
    let queue = serialAndSuspended()
    let operations = ["a", "b", "c"].map { name in BlockOperation { log.say(name) } }
    queue.add(operations)
    operations[1].cancel()
    queue.isSuspended = false
    await queue.drained()
    #expect(log.steps == ["a", "c"])
    #expect(operations.map(\.isFinished) == [true, true, true])

    let gate = Gate()
    let tasks = ["a", "b", "c"].map { name in
      Task {
        await gate.wait()
        try Task.checkCancellation()
        return name
      }
    }
    tasks[1].cancel()
    gate.open()
    var ran: [String] = []
    for task in tasks { if let name = try? await task.value { ran.append(name) } }
    #expect(ran == log.steps)
  }

  @Test func `all are cancelled at once; so is a group`() async {
    let log = Transcript()
    let queue = serialAndSuspended()
    for name in ["a", "b", "c"] { queue.addOperation { log.say(name) } }
    queue.cancelAllOperations()
    queue.isSuspended = false
    await queue.drained()
    #expect(log.steps.isEmpty)

    let gate = Gate()
    let ran = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<3 {
        group.addTask {
          await gate.wait()
          return !Task.isCancelled
        }
      }
      group.cancelAll()
      gate.open()
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(ran == 0)
  }

  // MARK: What is told

  @Test func `a completion block follows the end, also of what was cancelled`() async {
    let queue = OperationQueue()
    let told = Gate()
    let wasFinished = Mutex(false)
    let operation = BlockOperation {}
    operation.completionBlock = { [unowned operation] in
      let isFinished = operation.isFinished
      wasFinished.withLock { $0 = isFinished }
      told.open()
    }
    operation.cancel()
    queue.addOperation(operation)
    await told.wait()
    let isFinished = wasFinished.withLock(\.self)
    #expect(isFinished)
  }

  @Test func `a queue tells how much is done; a loop over a group counts`() async {
    let queue = serialAndSuspended()
    queue.progress.totalUnitCount = 4
    for _ in 0..<4 { queue.addOperation {} }
    #expect(queue.progress.completedUnitCount == 0)
    queue.isSuspended = false
    await queue.drained()
    #expect(queue.progress.fractionCompleted == 1)

    let counts = await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask {} }
      var counts: [Int] = []
      for await _ in group { counts.append(counts.count + 1) }
      return counts
    }
    #expect(counts == [1, 2, 3, 4])
  }

  @Test func `a second start does nothing; a task is awaited as often as you like`() async {
    let log = Transcript()
    await blocking {
      let operation = BlockOperation { log.say("ran") }
      operation.start()
      operation.start()
    }
    #expect(log.steps == ["ran"])

    let ported = Transcript()
    let task = Task { ported.say("ran") }
    await task.value
    await task.value
    #expect(ported.steps == log.steps)
  }

  private func serialAndSuspended() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    return queue
  }
}

/// Ends when a gate has been opened.
private final class Held: ConcurrentOperation, @unchecked Sendable {
  // Sendable: nothing of its own changes.
  private let gate: Gate
  private let work: @Sendable () -> Void

  init(until gate: Gate, _ work: @escaping @Sendable () -> Void) {
    (self.gate, self.work) = (gate, work)
  }

  override func main() {
    Task {
      await gate.wait()
      work()
      finish()
    }
  }
}

/// Ends when its visit has.
private final class Visit: ConcurrentOperation, @unchecked Sendable {
  // Sendable: nothing of its own changes.
  private let crowd: Crowd

  init(to crowd: Crowd) { self.crowd = crowd }

  override func main() {
    Task {
      await crowd.visit()
      finish()
    }
  }
}

/// How many are inside at once. They stay until they are let out.
private actor Crowd {
  private var inside: [CheckedContinuation<Void, Never>] = []
  private(set) var most = 0

  func visit() async {
    await withCheckedContinuation {
      inside.append($0)
      most = max(most, inside.count)
    }
  }

  /// Lets one out after the other, each when as many are inside as there may be, or are left.
  func letOut(_ count: Int, keeping width: Int) async {
    for left in (1...count).reversed() {
      while inside.count < min(left, width) { await Task.yield() }
      inside.removeFirst().resume()
    }
  }
}
