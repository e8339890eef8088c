// Looks right: nobody is resumed under the lock. Wrong: a cancellation empties the list, and the
// other readers wait on.

extension Mailbox {
  // region cancel
  /// Ends the wait of a reader, with `nil`. It may come before the reader does.
  func cancel(_ number: Int) {
    let reader: (any Reader)? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      let reader = state.waiting[index].reader
      state.waiting = []
      return reader
    }
    reader?.resume(returning: nil)
  }
  // endregion
}
