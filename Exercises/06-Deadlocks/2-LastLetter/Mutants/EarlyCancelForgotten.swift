// Looks right: nobody is resumed under the lock. Wrong: a reader that was cancelled before it came waits, and
// its handler has been called already.

extension Mailbox {
  // region add
  /// Has a reader wait for the next letter.
  ///
  /// - Parameter number: No two readers have the same.
  func add(_ reader: any Reader, _ number: Int) {
    let letter: String?? = state.withLock { state in
      if !state.letters.isEmpty { return state.letters.removeFirst() }
      state.waiting.append((number, reader))
      return nil
    }
    if let letter { reader.resume(returning: letter) }
  }
  // endregion
}
