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

/// Runs the same piece of code in so many tasks and waits until all are done.
///
/// They start together, so that they are in each other's way as much as they can be.
///
/// - Parameters:
///   - count: How many tasks; one or more.
///   - work: The code; it is given the number of its task, from 0.
public func inTasks(_ count: Int, _ work: @escaping @Sendable (Int) async -> Void) async {
  let line = StartLine(count)
  await withDiscardingTaskGroup { group in
    for number in 0..<count {
      group.addTask {
        await line.wait()
        await work(number)
      }
    }
  }
}

/// Where tasks wait for each other before they run.
private final class StartLine: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) {
    missing = Atomic(count)
  }

  func wait() async {
    missing.subtract(1, ordering: .relaxed)
    while missing.load(ordering: .relaxed) > 0 { await Task.yield() }
  }
}
