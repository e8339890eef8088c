// Looks right: a loop that has finished ends. Wrong: what was marked before the end and not taken is lost.

extension DirtyParts {
  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    for await _ in bells {
      let (marked, isFinished) = state.withLock { state in
        defer { state.marked = [] }
        return (state.marked, state.isFinished)
      }
      if isFinished { return nil }
      if !marked.isEmpty { return marked }
    }
    return nil
  }
  // endregion
}
