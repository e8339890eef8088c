// Looks right: nobody is resumed under the lock. Wrong: the reader is taken out after it was resumed, and in
// between the cancellation resumes it a second time.

extension Mailbox {
  // region deliver
  /// Gives a letter to a reader, or keeps it for the next.
  func deliver(_ letter: String) {
    let reader: (any Reader)? = state.withLock { state in
      guard let first = state.waiting.first else {
        state.letters.append(letter)
        return nil
      }
      return first.reader
    }
    guard let reader else { return }
    reader.resume(returning: letter)
    state.withLock { state in
      if !state.waiting.isEmpty { state.waiting.removeFirst() }
    }
  }
  // endregion
}
