import Synchronization

/// Answers questions, some time. It stays as it is.
protocol Desk: Sendable {
  /// - Parameter completion: Called with the answer: on any thread, before this returns or after it, and by some desks
  ///   more than once. If the request is cancelled, it may never be called.
  /// - Returns: What cancels the request.
  func ask(
    _ question: String, completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) -> @Sendable () -> Void
}

/// Asks a desk.
///
/// - Returns: The first answer.
/// - Throws: The error that came in place of it; a `CancellationError`, at once, if the task is cancelled. Then the
///   request is cancelled, too.
func answer(to question: String, from desk: any Desk) async throws -> String {
  let reply = Reply()
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { continuation in
      reply.wait(continuation)
      reply.begun(desk.ask(question) { reply.end(with: $0) })
    }
  } onCancel: {
    reply.cancel()
  }
}

final class Reply: Sendable {
  struct State {
    var continuation: CheckedContinuation<String, any Error>?
    var cancelRequest: (@Sendable () -> Void)?
    var isCancelled = false
  }

  let state = Mutex(State())

  // region wait
  /// The task waits from now on.
  func wait(_ continuation: CheckedContinuation<String, any Error>) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled { state.continuation = continuation }
      return state.isCancelled
    }
    if isCancelled { continuation.resume(throwing: CancellationError()) }
  }
  // endregion

  // region end
  /// The first result counts.
  func end(with result: Result<String, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }
  // endregion

  // region begun
  /// The request has begun.
  func begun(_ cancelRequest: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.cancelRequest = cancelRequest
      return state.isCancelled
    }
    if isCancelled { cancelRequest() }
  }
  // endregion

  // region cancel
  func cancel() {
    // Both at once: what a desk says when it is cancelled finds nobody.
    let (continuation, cancelRequest) = state.withLock { state in
      state.isCancelled = true
      defer { state.continuation = nil }
      return (state.continuation, state.cancelRequest)
    }
    continuation?.resume(throwing: CancellationError())
    cancelRequest?()
  }
  // endregion
}
