extension Isolated {
  /// Makes a value on first use, as `Tasked.Once` does; and a caller that is cancelled leaves at once, while the work goes on
  /// for the others.
  actor Once<Value: Sendable> {
    private let once: Tasked.Once<Value>

    init(
      afterFailure: AfterFailure = .tryAgain, make: @escaping @Sendable () async throws -> Value
    ) {
      once = Tasked.Once(afterFailure: afterFailure, make: make)
    }

    /// - Throws: What making it throws; `CancellationError` when the caller is cancelled before.
    var value: Value {
      get async throws {
        let (stream, input) = AsyncThrowingStream.makeStream(of: Value.self)
        Task { [once] in
          do {
            input.yield(try await once.value)
            input.finish()
          } catch {
            input.finish(throwing: error)
          }
        }
        for try await value in stream { return value }
        throw CancellationError()
      }
    }
  }
}
