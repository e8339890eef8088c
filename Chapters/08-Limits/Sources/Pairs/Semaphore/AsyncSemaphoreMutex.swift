import Synchronization

/// Lets so many tasks through at a time. The others wait, first come, first served, and hold no thread.
final class AsyncSemaphore: Sendable {
  private typealias Continuation = CheckedContinuation<Void, any Error>

  private let state: Mutex<(permits: Permits<Continuation>, lastID: Int)>

  init(permits: Int) { state = Mutex((Permits(permits), 0)) }

  /// How many permits are free, and how many tasks wait for one.
  var free: Int { state.withLock { $0.permits.free } }
  var waiting: Int { state.withLock { $0.permits.waiting } }

  /// Takes a permit.
  ///
  /// - Throws: `CancellationError`, and then it has taken none.
  nonisolated(nonsending) func wait() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          // The flag of a task is set before its handler runs. So either it is seen here, or the handler comes later
          // and finds the waiter in line.
          if Task.isCancelled { return .failure(CancellationError()) }
          return state.permits.take(id, continuation) ? .success(()) : nil
        }
        // After the lock, because a resume may run code of others.
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      // Signal or cancellation: the one that takes the waiter out of the line resumes it.
      let waiter = state.withLock { $0.permits.leave(id) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  /// Gives a permit back, to the first task in line if there is one. From any thread.
  func signal() {
    let waiter = state.withLock { $0.permits.giveBack() }
    waiter?.resume()
  }

  /// Runs a body with a permit, and gives it back on every path.
  nonisolated(nonsending) func withPermit<Value>(
    _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    try await wait()
    defer { signal() }
    return try await body()
  }
}
