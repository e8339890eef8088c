// Looks right: whatever way the loop is left, the last element is not lost. Wrong: it is given before an error,
// too.

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  // region debounced
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncThrowingStream {
    let (debounced, output) = AsyncThrowingStream.makeStream()
    let reader = Task {
      var waiting: Waiting<Element>?
      var failure: (any Error)?
      do {
        for try await element in self {
          _ = await waiting?.callOff()
          waiting = Waiting(element, for: delay, on: clock, output)
        }
      } catch {
        failure = error
      }
      if let last = await waiting?.callOff(), !Task.isCancelled { output.yield(last) }
      output.finish(throwing: failure)
    }
    output.onTermination = { _ in reader.cancel() }
    return debounced
  }
  // endregion
}
