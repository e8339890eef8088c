// Looks right: the loop over the output ends when its task is cancelled. Wrong: the reader is a task of its own,
// and reads on for nobody.

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  // region debounced
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: some Clock<Duration> = ContinuousClock()
  ) -> AsyncThrowingStream {
    AsyncThrowingStream { output in
      Task {
        var waiting: Waiting<Element>?
        do {
          for try await element in self {
            _ = await waiting?.callOff()
            waiting = Waiting(element, for: delay, on: clock, output)
          }
          if let last = await waiting?.callOff(), !Task.isCancelled { output.yield(last) }
          output.finish()
        } catch {
          output.finish(throwing: error)
        }
      }
    }
  }
  // endregion
}
