import Synchronization

/// Lets so many uploads through at a time. The others wait, first come, first served.
///
/// The check uses `init(permits:)` and `withPermit(_:)`.
final class UploadGate: Sendable {
  private struct State {
    var free: Int
    var line: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
    var lastID = 0
  }

  private let state: Mutex<State>

  init(permits: Int) { state = Mutex(State(free: permits)) }

  // region withPermit
  /// Runs a body with a permit, and gives it back when the body returns or throws.
  ///
  /// - Throws: What the body throws; `CancellationError` if the task is cancelled before it has a permit.
  func withPermit<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await wait()
    defer { signal() }
    return try await body()
  }
  // endregion

  // region wait
  private func wait() async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.line.append((id, continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.line.firstIndex { $0.id == id }.map { state.line.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
  // endregion

  // region signal
  private func signal() {
    let waiter = state.withLock { state in
      guard state.line.isEmpty else { return Optional(state.line.removeFirst()) }
      state.free += 1
      return nil
    }
    waiter?.continuation.resume()
  }
  // endregion
}
