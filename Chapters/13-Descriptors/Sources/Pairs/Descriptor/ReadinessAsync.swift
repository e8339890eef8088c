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
      var waiter: (ticket: Int, call: Call, continuation: CheckedContinuation<Value?, any Error>)?
      /// How many calls there have been.
      var tickets = 0
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

    /// Watches a descriptor, for reading or for writing, and closes it when nothing is watched any more.
    convenience init(
      of owned: OwnedDescriptor, reads: Bool = true, whenClosed: @escaping @Sendable () -> Void
    ) {
      let source: any DispatchSourceProtocol =
        reads
        ? DispatchSource.makeReadSource(fileDescriptor: owned.number, queue: readinessQueue)
        : DispatchSource.makeWriteSource(fileDescriptor: owned.number, queue: readinessQueue)
      self.init(of: source) {
        owned.closeOnce()
        whenClosed()
      }
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
      let (ticket, answer) = state.withLock { state in
        state.tickets += 1
        return (state.tickets, state.isOver ? .success(nil) : attempt(call))
      }
      if let answer { return try answer.get() }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if let answer = wait(ticket, for: call, continuation) {
            continuation.resume(with: answer)
          }
        }
      } onCancel: {
        // Another task may wait by now.
        self.answer(ticket, with: .failure(CancellationError()))
      }
    }

    /// Lets a task wait, or gives its answer.
    private func wait(
      _ ticket: Int, for call: @escaping Call,
      _ continuation: CheckedContinuation<Value?, any Error>
    ) -> Result<Value?, any Error>? {
      state.withLock { state in
        guard !state.isOver else { return .success(nil) }
        guard !Task.isCancelled else { return .failure(CancellationError()) }
        precondition(state.waiter == nil, "two tasks wait; let one do it after the other")
        if state.isSuspended {
          // It may have fired since the call was made, and Linux tells of a hang-up once.
          if let answer = attempt(call) { return answer }
          state.isSuspended = false
          source.resume()
        }
        state.waiter = (ticket, call, continuation)
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
      if isFirst { answer(nil, with: .success(nil)) }
    }

    /// Lets the waiter go on, if there is one and it has this ticket, or any.
    private func answer(_ ticket: Int?, with answer: Result<Value?, any Error>) {
      let waiter: CheckedContinuation<Value?, any Error>? = state.withLock { state in
        guard let waiter = state.waiter, ticket == nil || ticket == waiter.ticket else {
          return nil
        }
        state.waiter = nil
        return waiter.continuation
      }
      waiter?.resume(with: answer)
    }
  }
}

/// One for all sources: those whose queues run at the same time may end the process on Linux when the other side hangs up
/// (issue 949 of Dispatch). It is in the pool of tasks, so that the thread that has read may go on with the task.
let readinessQueue = DispatchQueue(label: "readiness", target: .global())
