// Looks right: a stream that has finished takes no bell. Wrong: the marks are not in the stream, so one behind the end
// is united with those that are still to be given.

extension DirtyParts {
  // region state
  private let state = Mutex(Parts())
  private let (bells, bell) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  // endregion

  // region mark
  /// Marks parts; an empty set marks nothing.
  func mark(_ parts: Parts) {
    guard !parts.isEmpty else { return }
    state.withLock { $0.formUnion(parts) }
    bell.yield()
  }
  // endregion

  // region finish
  /// Ends it behind what was marked.
  func finish() { bell.finish() }
  // endregion

  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    for await _ in bells {
      let marked = state.withLock { state in
        defer { state = [] }
        return state
      }
      if !marked.isEmpty { return marked }
    }
    return nil
  }
  // endregion
}
