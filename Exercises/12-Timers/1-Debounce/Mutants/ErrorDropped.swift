// Looks right: an element is called off by a cancellation, and its task says whether it was given. Wrong: with
// `try?` the sleep ends early, and then each element is given.

// region waiting
/// An element that is given after a while, unless it is called off before.
private struct Waiting<Element: Sendable> {
  private let element: Element
  private let task: Task<Void, Never>

  init(
    _ element: Element, for delay: Duration, on clock: some Clock<Duration>,
    _ output: AsyncThrowingStream<Element, any Error>.Continuation
  ) {
    self.element = element
    task = Task {
      try? await clock.sleep(for: delay)
      output.yield(element)
    }
  }

  func callOff() async -> Element? {
    task.cancel()
    await task.value
    return nil
  }
}
// endregion
