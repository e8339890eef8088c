extension ByTask {
  /// Neither the continuation nor the handler can await the actor, so each begins a task that does. Nobody says which of
  /// the two comes first.
  final class Reply<Value: Sendable>: Sendable {
    private let waiting = Waiting<Value>()

    func take(_ result: Result<Value, any Error>) {
      Task { await waiting.resume(with: result) }
    }

    var value: Value {
      get async throws {
        try await withTaskCancellationHandler {
          try await withCheckedThrowingContinuation { waiter in
            Task { await waiting.add(waiter) }
          }
        } onCancel: {
          Task { await waiting.cancel() }
        }
      }
    }
  }

  private actor Waiting<Value: Sendable> {
    private var result: Result<Value, any Error>?
    private var waiter: CheckedContinuation<Value, any Error>?

    func add(_ waiter: CheckedContinuation<Value, any Error>) {
      if let result { waiter.resume(with: result) } else { self.waiter = waiter }
    }

    func resume(with result: Result<Value, any Error>) {
      if self.result == nil { self.result = result }
      end(with: result)
    }

    func cancel() { end(with: .failure(CancellationError())) }

    private func end(with result: Result<Value, any Error>) {
      waiter?.resume(with: result)
      waiter = nil
    }
  }
}
