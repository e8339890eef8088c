import Dispatch
import Foundation

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

/// Runs the same piece of code in so many tasks at once and waits until all are done.
///
/// - Parameters:
///   - count: How many tasks; one or more.
///   - work: The code; it is given the number of its task, from 0.
public func inTasks(_ count: Int, _ work: @escaping @Sendable (Int) async -> Void) async {
  await withDiscardingTaskGroup { group in
    for number in 0..<count {
      group.addTask { await work(number) }
    }
  }
}
