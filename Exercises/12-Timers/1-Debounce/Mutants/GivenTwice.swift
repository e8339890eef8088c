// Looks right: the task of an older element is cancelled, and the last element is given at the end. Wrong: nobody
// asks whether its task has given it already.

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  // region debounced
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncThrowingStream {
    let (debounced, output) = AsyncThrowingStream.makeStream()
    let reader = Task {
      var last: Element?
      var giving: Task<Void, any Error>?
      defer { giving?.cancel() }
      do {
        for try await element in self {
          giving?.cancel()
          last = element
          giving = Task {
            try await clock.sleep(for: delay)
            try Task.checkCancellation()
            output.yield(element)
          }
        }
        if let last, !Task.isCancelled { output.yield(last) }
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
