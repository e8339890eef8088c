import Dispatch
import Foundation
import Synchronization

/// Runs two pieces of code on two threads of their own and waits, blocking, until both are done.
///
/// Threads rather than a pool: both are sure to run at once, on a machine with one core too.
public func onTwoThreads(
  _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
) {
  let group = DispatchGroup()
  for work in [first, second] {
    group.enter()
    Thread.detachNewThread {
      work()
      group.leave()
    }
  }
  group.wait()
}

/// Runs code that blocks on a thread of its own, so that it holds none of the pool for tasks.
public func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: work()) }
  }
}

/// Waits for what code is called back with.
///
/// - Parameter begin: Begins the work; the completion it is given is called once, on any thread.
/// - Returns: What the completion was called with.
public func result<Value: Sendable>(
  of begin: (_ completion: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in
    begin { continuation.resume(returning: $0) }
  }
}

/// Runs the same piece of code in so many tasks, and waits until all are done.
///
/// Each task has a thread of its own, whatever else the process runs, and they begin each round
/// together: so they are in each other's way as much as they can be.
///
/// - Parameters:
///   - count: How many tasks; one or more.
///   - name: What they are called, with a number from 1.
///   - rounds: How often each runs the code; one or more.
///   - work: The code; it is given the number of its task and of the round, from 0.
public func inTasks(
  _ count: Int, called name: String = "task", rounds: Int = 1,
  _ work: @escaping @Sendable (_ task: Int, _ round: Int) async -> Void
) async {
  let line = StartLine(count)
  await withDiscardingTaskGroup { group in
    for task in 0..<count {
      group.addTask(name: "\(name) \(task + 1)", executorPreference: ThreadExecutor()) {
        for round in 0..<rounds {
          line.wait(round)
          await work(task, round)
        }
      }
    }
  }
}

/// Where so many wait for each other, and block their threads. Relaxed, so that waiting orders no memory.
public final class StartLine: Sendable {
  private let count: Int
  private let arrived = Atomic(0)

  /// - Parameter count: How many wait for each other; 1 or more.
  public init(_ count: Int) {
    self.count = count
  }

  /// Waits until all have come, in each round after the one before.
  ///
  /// - Parameter round: The round, from 0.
  public func wait(_ round: Int = 0) {
    arrived.add(1, ordering: .relaxed)
    let wanted = count * (round + 1)
    var spins = 0
    while arrived.load(ordering: .relaxed) < wanted {
      // Who is still to come may want this processor.
      spins += 1
      if spins & 63 == 0 { sched_yield() }
    }
  }
}

/// Does something with each of some elements, as many at once as there are cores, and takes what comes of it in the order
/// in which it comes.
func forEachAtOnce<Element: Sendable, Value: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Value,
  then take: (Value) throws -> Void
) async throws {
  var waiting = elements[...]
  try await withThrowingTaskGroup(of: Value.self) { group in
    func begin() {
      guard let element = waiting.popFirst() else { return }
      group.addTask { try await body(element) }
    }
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { begin() }
    while let value = try await group.next() {
      try take(value)
      begin()
    }
  }
}

/// Does the same, and takes what came of the elements in their order.
func forEachInOrder<Element: Sendable, Value: Sendable>(
  _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Value,
  then take: (Value) throws -> Void
) async throws {
  var early: [Int: Value] = [:]
  var next = 0
  try await forEachAtOnce(Array(elements.enumerated())) { (index, element) in
    (index, try await body(element))
  } then: { (index, value) in
    early[index] = value
    while let value = early.removeValue(forKey: next) {
      try take(value)
      next += 1
    }
  }
}
