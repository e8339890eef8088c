extension DirtyParts {
  // region state
  private let (marks, input) = AsyncStream.makeStream(
    of: Parts.self, bufferingPolicy: .bufferingNewest(1))
  // endregion

  // region mark
  /// Marks parts; an empty set marks nothing.
  func mark(_ parts: Parts) {
    // Was: source.or(data: parts.rawValue)
    // TODO: Unite what is marked until the loop asks.
    input.yield(parts)
  }
  // endregion

  // region finish
  /// Ends it behind what was marked.
  func finish() { input.finish() }
  // endregion

  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    for await parts in marks { return parts }
    return nil
  }
  // endregion
}
