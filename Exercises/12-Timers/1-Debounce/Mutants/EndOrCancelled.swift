// Looks right: the last element is given when the input ends. Wrong: so it does for a reader that is cancelled, and
// the cancelled loop gets a text that nobody has finished.

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  // region debounced
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncThrowingStream {
    let (debounced, output) = AsyncThrowingStream.makeStream()
    let reader = Task {
      var waiting: Waiting<Element>?
      do {
        for try await element in self {
          _ = await waiting?.callOff()
          waiting = Waiting(element, for: delay, on: clock, output)
        }
        if let last = await waiting?.callOff() { output.yield(last) }
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
