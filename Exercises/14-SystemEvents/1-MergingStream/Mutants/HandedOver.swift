// Looks right: a loop that waits is handed what was marked, at once. Wrong: the handed parts also stay marked, and are
// given a second time.

extension DirtyParts {
  // region state
  private struct State {
    var marked = Parts()
    var isFinished = false
    var waiter: CheckedContinuation<Parts?, Never>?
  }

  private let state = Mutex(State())
  // endregion

  // region mark
  /// Marks parts; an empty set marks nothing.
  func mark(_ parts: Parts) {
    state.withLock { state in
      guard !state.isFinished, !parts.isEmpty else { return }
      state.marked.formUnion(parts)
      state.waiter.take()?.resume(returning: state.marked)
    }
  }
  // endregion

  // region finish
  /// Ends it behind what was marked.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      state.waiter.take()?.resume(returning: nil)
    }
  }
  // endregion

  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        state.withLock { state in
          if !state.marked.isEmpty {
            waiter.resume(returning: state.marked)
            state.marked = []
          } else if state.isFinished || Task.isCancelled {
            waiter.resume(returning: nil)
          } else {
            state.waiter = waiter
          }
        }
      }
    } onCancel: {
      state.withLock { $0.waiter.take() }?.resume(returning: nil)
    }
  }
  // endregion
}
