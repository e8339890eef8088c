// Looks right: the handler does not wait for the lock, so there is no cycle. Wrong: where the lock is taken by
// somebody else, the cancellation is lost, and the reader waits on.

extension Mailbox {
  // region add
  /// Has a reader wait for the next letter.
  ///
  /// - Parameter number: No two readers have the same.
  func add(_ reader: any Reader, _ number: Int) {
    state.withLock { state in
      if state.cancelled.remove(number) != nil {
        reader.resume(returning: nil)
      } else if !state.letters.isEmpty {
        reader.resume(returning: state.letters.removeFirst())
      } else {
        state.waiting.append((number, reader))
      }
    }
  }
  // endregion

  // region cancel
  /// Ends the wait of a reader, with `nil`. It may come before the reader does.
  func cancel(_ number: Int) {
    state.withLockIfAvailable { state in
      if let index = state.waiting.firstIndex(where: { $0.number == number }) {
        state.waiting.remove(at: index).reader.resume(returning: nil)
      } else {
        state.cancelled.insert(number)
      }
    }
  }
  // endregion

  // region deliver
  /// Gives a letter to a reader, or keeps it for the next.
  func deliver(_ letter: String) {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.letters.append(letter)
      } else {
        state.waiting.removeFirst().reader.resume(returning: letter)
      }
    }
  }
  // endregion
}
