import Synchronization

// Where Interleaving is imported, these stand before the functions of the same name: the compiler
// prefers them, since they take fewer parameters. A continuation that is resumed twice then ends in a
// finding and not in the end of the process.

/// Suspends the task and hands its continuation to the body, as the function of the same name in the
/// standard library does.
///
/// - Parameter body: Receives the continuation, which must be resumed exactly once.
/// - Returns: What the continuation was resumed with.
public nonisolated(nonsending) func withCheckedContinuation<T>(
  _ body: (CheckedContinuation<T, Never>) -> Void
) async -> sending T {
  await withUnsafeContinuation { body(CheckedContinuation($0)) }
}

/// Suspends the task and hands its throwing continuation to the body, as the function of the same name
/// in the standard library does.
///
/// - Parameter body: Receives the continuation, which must be resumed exactly once.
/// - Returns: What the continuation was resumed with.
/// - Throws: What the continuation was resumed with.
public nonisolated(nonsending) func withCheckedThrowingContinuation<T>(
  _ body: (CheckedContinuation<T, any Error>) -> Void
) async throws -> sending T {
  try await withUnsafeThrowingContinuation { body(CheckedContinuation($0)) }
}

/// A continuation that reports misuse to the exploration it is used in.
///
/// Dropped without a resume, it is a finding in an exploration; elsewhere it prints a line.
public struct CheckedContinuation<T, E: Error>: Sendable {
  private let state: State

  fileprivate init(_ continuation: UnsafeContinuation<T, E>) {
    state = State(continuation, executor: ScenarioExecutor.current)
  }

  /// Resumes the task with a value.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
  ///
  /// - Parameter value: What the suspended call returns.
  public func resume(returning value: sending T) {
    if let continuation = state.take() { continuation.resume(returning: value) }
  }

  /// Resumes the task by throwing an error.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
  ///
  /// - Parameter error: What the suspended call throws.
  public func resume(throwing error: E) {
    if let continuation = state.take() { continuation.resume(throwing: error) }
  }

  /// Resumes the task with a result.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
  ///
  /// - Parameter result: What the suspended call returns or throws.
  public func resume(with result: sending Result<T, E>) {
    if let continuation = state.take() { continuation.resume(with: result) }
  }

  /// Resumes the task.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
  public func resume() where T == Void {
    resume(returning: ())
  }

  private final class State: Sendable {
    private let continuation: Mutex<UnsafeContinuation<T, E>?>
    /// The exploration that it was made in, and the strand that made it.
    private let executor: ScenarioExecutor?
    private let maker: StrandID?

    init(_ continuation: UnsafeContinuation<T, E>, executor: ScenarioExecutor?) {
      self.continuation = Mutex(continuation)
      self.executor = executor
      maker = executor?.execution.running
    }

    func take() -> UnsafeContinuation<T, E>? {
      // A thread that is quick enough resumes the task before it suspends, and then no job tells of it.
      if let executor, ScenarioExecutor.current !== executor { executor.escapes.note() }
      let continuation = continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
      guard continuation == nil else { return continuation }
      guard let executor = ScenarioExecutor.current, let running = executor.execution.running,
        let maker
      else { fatalError("a continuation was resumed twice") }
      executor.report(.resumedTwice(by: running, of: maker))
      return nil
    }

    deinit {
      guard continuation.withLock({ $0 != nil }) else { return }
      if let executor = ScenarioExecutor.current, executor.execution.running != nil, let maker {
        executor.report(.continuationDropped(of: maker))
      } else if maker == nil {
        print("a continuation was dropped without being resumed; its task waits for ever")
      }
    }
  }
}
