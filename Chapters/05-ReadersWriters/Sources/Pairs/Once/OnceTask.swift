extension Tasked {
  /// Makes a value on first use. Callers that come in the meantime wait for it; one that is cancelled waits on.
  actor Once<Value: Sendable> {
    private let afterFailure: AfterFailure
    private let make: @Sendable () async throws -> Value
    private var task: Task<Value, any Error>?

    init(
      afterFailure: AfterFailure = .tryAgain, make: @escaping @Sendable () async throws -> Value
    ) {
      self.afterFailure = afterFailure
      self.make = make
    }

    var value: Value {
      get async throws {
        let task = task ?? begin()
        self.task = task
        return try await task.value
      }
    }

    private func begin() -> Task<Value, any Error> {
      Task {
        do {
          return try await make()
        } catch {
          // Forget the failed task first, so that a later caller starts a new one.
          if afterFailure == .tryAgain { task = nil }
          throw error
        }
      }
    }
  }
}
