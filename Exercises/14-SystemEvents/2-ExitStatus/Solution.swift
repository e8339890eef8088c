import Synchronization

/// Watches a child process until it exits. It stays as it is.
protocol ChildWatch: Sendable {
  /// Begins to watch.
  ///
  /// - Parameter exited: Called once with the status, on any thread, maybe before `begin` returns; released then.
  func begin(_ exited: @escaping @Sendable (Int32) -> Void)
  /// Lets go of the child and of what it was watched with. Call it once, when it has called back.
  func close()
}

/// A child process whose exit can be awaited.
///
/// The check uses `ChildWatch`, `init(_:)` and `exitStatus()`.
final class Child: Sendable {
  // region state
  private struct State {
    var status: Int32?
    var waiters: [Int: CheckedContinuation<Int32, any Error>] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())
  // endregion

  // region init
  /// Begins to watch a child.
  init(_ watch: any ChildWatch) {
    // It keeps the child, so that the watch is closed whoever waits.
    watch.begin { status in
      watch.close()
      self.exit(with: status)
    }
  }
  // endregion

  // region status
  /// Waits until the child exits.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func exitStatus() async throws -> Int32 {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        state.withLock { state in
          if let status = state.status {
            waiter.resume(returning: status)
          } else if Task.isCancelled {
            waiter.resume(throwing: CancellationError())
          } else {
            state.waiters[number] = waiter
          }
        }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }
  // endregion

  // region exit
  private func exit(with status: Int32) {
    let waiters = state.withLock { state in
      state.status = status
      defer { state.waiters = [:] }
      return state.waiters
    }
    for (_, waiter) in waiters { waiter.resume(returning: status) }
  }
  // endregion
}
