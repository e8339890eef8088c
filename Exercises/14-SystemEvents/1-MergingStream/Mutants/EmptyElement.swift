// Looks right: each bell gives what is there. Wrong: two bells may ring for marks that were taken at the first one, and
// the second one gives an empty element.

extension DirtyParts {
  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    for await _ in bells {
      return state.withLock { state in
        defer { state.marked = [] }
        return state.marked
      }
    }
    return nil
  }
  // endregion
}
