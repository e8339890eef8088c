import Dispatch
import Synchronization

extension Async {
  /// Makes calls that may have to wait, for one task at a time: when a source says that there is something to do.
  ///
  /// The source is registered once. It is suspended while it has fired and nobody waits. Otherwise it would fire without
  /// end for bytes that nobody reads.
  final class Readiness<Value: Sendable>: Sendable {
    /// Does what can be done without waiting; `nil` if nothing can.
    typealias Call = @Sendable () throws -> Value?

    private struct State {
      var waiter: (call: Call, continuation: CheckedContinuation<Value?, any Error>)?
      var isSuspended = true
      var isOver = false
    }

    // Sendable because sources may be used on any thread.
    private nonisolated(unsafe) let source: any DispatchSourceProtocol
    private let state = Mutex(State())

    /// Takes over an inactive source.
    ///
    /// - Parameter whenOver: Called once, when nothing is watched any more.
    init(of source: any DispatchSourceProtocol, whenOver: @escaping @Sendable () -> Void) {
      self.source = source
      source.setEventHandler { [weak self] in self?.hasFired() }
      source.setCancelHandler(handler: whenOver)
      source.suspend()
      source.activate()
    }

    deinit { end() }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Makes a call, once it need not wait.
    ///
    /// A task that is cancelled has either not made its call or has its value.
    ///
    /// - Returns: What the call gives; `nil` when all is over.
    /// - Throws: What the call throws; `CancellationError`.
    func perform(_ call: @escaping Call) async throws -> Value? {
      try Task.checkCancellation()
      if let answer = state.withLock({ $0.isOver ? .success(nil) : attempt(call) }) {
        return try answer.get()
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if let answer = wait(for: call, continuation) { continuation.resume(with: answer) }
        }
      } onCancel: {
        answer(with: .failure(CancellationError()))
      }
    }

    /// Lets a task wait, or gives its answer.
    private func wait(
      for call: @escaping Call, _ continuation: CheckedContinuation<Value?, any Error>
    ) -> Result<Value?, any Error>? {
      state.withLock { state in
        precondition(state.waiter == nil, "two tasks wait; let one do it after the other")
        guard !state.isOver else { return .success(nil) }
        guard !Task.isCancelled else { return .failure(CancellationError()) }
        if state.isSuspended {
          // It may have fired since the call was made, and Linux tells of a hang-up once.
          if let answer = attempt(call) { return answer }
          state.isSuspended = false
          source.resume()
        }
        state.waiter = (call, continuation)
        return nil
      }
    }

    private func hasFired() {
      // The call is made under the lock, so a cancellation comes before it or after it.
      let resume: (@Sendable () -> Void)? = state.withLock { state in
        guard let waiter = state.waiter else {
          if !state.isOver, !state.isSuspended {
            state.isSuspended = true
            source.suspend()
          }
          return nil
        }
        guard let answer = attempt(waiter.call) else { return nil }
        state.waiter = nil
        return { waiter.continuation.resume(with: answer) }
      }
      resume?()
    }

    private func attempt(_ call: Call) -> Result<Value?, any Error>? {
      do { return try call().map { .success($0) } } catch { return .failure(error) }
    }

    /// Cancels the source and lets the waiter go on. A second call does nothing.
    func end() {
      let isFirst = state.withLock { state in
        guard !state.isOver else { return false }
        state.isOver = true
        source.cancel()
        // A suspended source keeps its cancel handler back.
        if state.isSuspended { source.resume() }
        return true
      }
      if isFirst { answer(with: .success(nil)) }
    }

    /// Lets the waiter go on, if there is one.
    private func answer(with answer: Result<Value?, any Error>) {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter?.continuation
      }
      waiter?.resume(with: answer)
    }
  }
}

/// One for all sources: those whose queues run at the same time may end the process on Linux when the other side hangs up
/// (issue 949 of Dispatch).
let readinessQueue = DispatchQueue(label: "readiness")
