import Synchronization

// Where Interleaving is imported, these stand before the functions of the same name: a continuation
// that is resumed twice ends in a finding and not in the end of the process, and a task that waits is
// named with the line where it does.

/// Suspends the task and hands its continuation to the body, as the function of the same name in the
/// standard library does.
///
/// - Parameters:
///   - body: Receives the continuation, which must be resumed exactly once.
/// - Returns: What the continuation was resumed with.
public func withCheckedContinuation<T>(
  isolation: isolated (any Actor)? = #isolation, function: String = #function,
  fileID: String = #fileID, line: Int = #line,
  _ body: (CheckedContinuation<T, Never>) -> Void
) async -> sending T {
  await withUnsafeContinuation(isolation: isolation) {
    body(CheckedContinuation($0, Site(function: function, fileID: fileID, line: line)))
  }
}

/// Suspends the task and hands its throwing continuation to the body, as the function of the same name
/// in the standard library does.
///
/// - Parameters:
///   - body: Receives the continuation, which must be resumed exactly once.
/// - Returns: What the continuation was resumed with.
/// - Throws: What the continuation was resumed with.
public func withCheckedThrowingContinuation<T>(
  isolation: isolated (any Actor)? = #isolation, function: String = #function,
  fileID: String = #fileID, line: Int = #line,
  _ body: (CheckedContinuation<T, any Error>) -> Void
) async throws -> sending T {
  try await withUnsafeThrowingContinuation(isolation: isolation) {
    body(CheckedContinuation($0, Site(function: function, fileID: fileID, line: line)))
  }
}

/// A place in the source.
struct Site: Hashable, CustomStringConvertible {
  let function: String
  let fileID: String
  let line: Int

  var description: String { "\(fileID):\(line), in \(function)" }
}

/// A continuation that reports misuse to the exploration it is used in.
public struct CheckedContinuation<T, E: Error>: Sendable {
  private let state: State

  fileprivate init(_ continuation: UnsafeContinuation<T, E>, _ site: Site) {
    state = State(continuation, site)
    if let executor = Runtime.current, let running = executor.running {
      executor.sites[running] = site
    }
  }

  /// Resumes the task with a value.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
  public func resume(returning value: sending T) {
    if let continuation = state.take() { continuation.resume(returning: value) }
  }

  /// Resumes the task by throwing an error.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
  public func resume(throwing error: E) {
    if let continuation = state.take() { continuation.resume(throwing: error) }
  }

  /// Resumes the task with a result.
  ///
  /// A second call is a finding in an exploration, and ends the process elsewhere.
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
    private let site: Site

    init(_ continuation: UnsafeContinuation<T, E>, _ site: Site) {
      self.continuation = Mutex(continuation)
      self.site = site
    }

    func take() -> UnsafeContinuation<T, E>? {
      let continuation = continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
      guard continuation == nil else { return continuation }
      guard let executor = Runtime.current, let running = executor.running else {
        fatalError("the continuation made at \(site) was resumed twice")
      }
      executor.findings.append(
        Finding(
          .resumedTwice,
          "\(executor.name(of: running)) resumed the continuation made at \(site) a second time"))
      return nil
    }

    deinit {
      guard continuation.withLock({ $0 != nil }) else { return }
      if let executor = Runtime.current, executor.running != nil {
        executor.findings.append(
          Finding(
            .continuationDropped,
            "the continuation made at \(site) is gone, so nothing can resume its task"))
      } else if Runtime.current == nil {
        print("the continuation made at \(site) was dropped without being resumed")
      }
    }
  }
}
