import Foundation
import Synchronization

/// An operation that goes on after `start()` has returned, until its subclass calls ``finish(_:)``.
///
/// A subclass overrides `main()`, which begins the work and returns. Each way from there has to come to ``finish(_:)``.
class ConcurrentOperation: Operation, @unchecked Sendable {
  // Sendable: its own state is in a lock.
  private let lifecycle = Mutex(Lifecycle())

  override final var isAsynchronous: Bool { true }
  override final var isExecuting: Bool { lifecycle.withLock { $0.isExecuting } }
  override final var isFinished: Bool { lifecycle.withLock { $0.isFinished } }

  override final func start() {
    guard lifecycle.withLock({ $0.claimStart() }) else { return }
    guard !isCancelled else {
      // What it depends on may still go on. On Linux that uses this operation when it ends, even if it is gone by then.
      for dependency in dependencies { removeDependency(dependency) }
      return announceEnd()
    }
    willChangeValue(for: \.isExecuting)
    lifecycle.withLock { $0.execute() }
    didChangeValue(for: \.isExecuting)
    main()
  }

  override func main() { finish() }

  /// Ends the operation while it executes. Calls before that and after the first do nothing.
  ///
  /// - Parameter last: What the first call does before anybody is told of the end.
  final func finish(_ last: () -> Void = {}) {
    guard lifecycle.withLock({ $0.claimEnd() }) else { return }
    last()
    announceEnd()
  }

  private func announceEnd() {
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    lifecycle.withLock { $0.finish() }
    didChangeValue(for: \.isFinished)
    didChangeValue(for: \.isExecuting)
  }
}
