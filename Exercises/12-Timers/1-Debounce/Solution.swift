extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  // region debounced
  /// The elements that are followed by quiet, and the last one.
  ///
  /// The check uses `debounced(for:on:)`.
  ///
  /// - Parameters:
  ///   - delay: How long no other element may come.
  ///   - clock: Whose time it is.
  /// - Returns: A stream that ends when this one ends, and throws what this one throws.
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
        // A reader that is cancelled comes to the end of its input, too.
        if let last = await waiting?.callOff(), !Task.isCancelled { output.yield(last) }
        output.finish()
      } catch {
        output.finish(throwing: error)
        _ = await waiting?.callOff()
      }
    }
    output.onTermination = { _ in reader.cancel() }
    return debounced
  }
  // endregion
}

// region waiting
/// An element that is given after a while, unless it is called off before.
private struct Waiting<Element: Sendable> {
  private let element: Element
  private let task: Task<Bool, Never>

  init(
    _ element: Element, for delay: Duration, on clock: some Clock<Duration>,
    _ output: AsyncThrowingStream<Element, any Error>.Continuation
  ) {
    self.element = element
    task = Task {
      try? await clock.sleep(for: delay)
      // A sleep that was over before it was cancelled throws nothing.
      if Task.isCancelled { return false }
      output.yield(element)
      return true
    }
  }

  /// - Returns: The element, if it was not given; then it will not be.
  func callOff() async -> Element? {
    task.cancel()
    return await task.value ? nil : element
  }
}
// endregion
