import Synchronization

/// A semaphore for tasks, whose waiters leave when they are cancelled.
///
/// As many are written: each waiter is an object, in a state that those who let it go on are to change. In the wrong one
/// `signal` takes the waiter out of the list, and forgets the state: who is cancelled afterwards, and has not run since, is
/// resumed once more.
public final class CancellableSemaphore: Sendable {
  private final class Waiter: Sendable {
    enum State {
      case waiting
      case suspended(UnsafeContinuation<Void, any Error>)
      case resumed
    }
    let state = Mutex(State.waiting)
  }

  private let values: Mutex<(count: Int, waiters: [Waiter])>
  private let forgetsState: Bool

  /// - Parameters:
  ///   - count: How many may pass.
  ///   - isRight: Whether `signal` notes whom it has let go on.
  public init(_ count: Int, isRight: Bool) {
    values = Mutex((count, []))
    forgetsState = !isRight
  }

  public func waitUnlessCancelled() async throws {
    let waiter = Waiter()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation {
        (continuation: UnsafeContinuation<Void, any Error>) in
        let result: Result<Void, any Error>? = values.withLock { values in
          if Task.isCancelled { return .failure(CancellationError()) }
          if values.count > 0 {
            values.count -= 1
            return .success(())
          }
          waiter.state.withLock { $0 = .suspended(continuation) }
          values.waiters.append(waiter)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      values.withLock { values in values.waiters.removeAll { $0 === waiter } }
      resume(waiter, with: .failure(CancellationError()), isLast: true)
    }
  }

  public func signal() {
    let waiter: Waiter? = values.withLock { values in
      if values.waiters.isEmpty {
        values.count += 1
        return nil
      }
      return values.waiters.removeFirst()
    }
    if let waiter { resume(waiter, with: .success(()), isLast: !forgetsState) }
  }

  private func resume(_ waiter: Waiter, with result: Result<Void, any Error>, isLast: Bool) {
    let continuation: UnsafeContinuation<Void, any Error>? = waiter.state.withLock { state in
      guard case .suspended(let continuation) = state else { return nil }
      if isLast { state = .resumed }
      return continuation
    }
    continuation?.resume(with: result)
  }
}
