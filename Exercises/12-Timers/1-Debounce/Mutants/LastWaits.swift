// Looks right: the last element is not lost, because the output ends behind its task. Wrong: the task sleeps on,
// and so the element and the end come late; so does the error.

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  // region debounced
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncThrowingStream {
    let (debounced, output) = AsyncThrowingStream.makeStream()
    let reader = Task {
      var giving: Task<Void, any Error>?
      do {
        for try await element in self {
          giving?.cancel()
          _ = await giving?.result
          giving = Task {
            try await clock.sleep(for: delay)
            try Task.checkCancellation()
            output.yield(element)
          }
        }
        try await giving?.value
        output.finish()
      } catch {
        output.finish(throwing: error)
      }
    }
    output.onTermination = { _ in reader.cancel() }
    return debounced
  }
  // endregion
}
