// Looks right: it looks whether something is there, and otherwise it waits for it. Wrong: what is marked between the two
// finds nobody who waits, and wakes nobody.

extension DirtyParts {
  // region state
  private struct State {
    var marked = Parts()
    var isFinished = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  // endregion

  // region mark
  /// Marks parts; an empty set marks nothing.
  func mark(_ parts: Parts) {
    let waiter = state.withLock { state in
      guard !state.isFinished, !parts.isEmpty else {
        return nil as CheckedContinuation<Void, Never>?
      }
      state.marked.formUnion(parts)
      return state.waiter.take()
    }
    waiter?.resume()
  }
  // endregion

  // region finish
  /// Ends it behind what was marked.
  func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      return state.waiter.take()
    }
    waiter?.resume()
  }
  // endregion

  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    while !Task.isCancelled {
      let (marked, isFinished) = state.withLock { state in
        defer { state.marked = [] }
        return (state.marked, state.isFinished)
      }
      if !marked.isEmpty { return marked }
      if isFinished { return nil }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          if Task.isCancelled { return waiter.resume() }
          state.withLock { $0.waiter = waiter }
        }
      } onCancel: {
        state.withLock { $0.waiter.take() }?.resume()
      }
    }
    return nil
  }
  // endregion
}
