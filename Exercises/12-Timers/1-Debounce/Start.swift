import Synchronization

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
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
    // Was: newest += 1
    //      let number = newest
    //      queue.asyncAfter(deadline: .now() + delay) { if number == newest { give(element) } }
    // TODO: Give the last element, too, hand over the error, and stop when nobody listens any more.
    let (debounced, output) = AsyncThrowingStream.makeStream()
    let numbers = Numbers()
    Task {
      for try await element in self {
        let number = numbers.next()
        Task {
          try await clock.sleep(for: delay)
          if numbers.newest == number { output.yield(element) }
        }
      }
      output.finish()
    }
    return debounced
  }
}

/// Numbers for elements, from 1 on.
private final class Numbers: Sendable {
  private let last = Mutex(0)

  var newest: Int { last.withLock { $0 } }

  func next() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
