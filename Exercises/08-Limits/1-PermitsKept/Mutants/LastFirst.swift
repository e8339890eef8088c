// Looks right: one waiter is let in for each permit. Wrong: it is the one that came last.

extension UploadGate {
  // region signal
  private func signal() {
    let waiter = state.withLock { state in
      guard state.line.isEmpty else { return state.line.popLast() }
      state.free += 1
      return nil
    }
    waiter?.continuation.resume()
  }
  // endregion
}
