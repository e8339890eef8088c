// Looks right: the handler only leaves a note, and `deliver` resumes everybody outside of the lock. Wrong: where no
// letter comes, nobody reads the note.

extension Mailbox {
  // region cancel
  /// Ends the wait of a reader, with `nil`. It may come before the reader does.
  func cancel(_ number: Int) {
    state.withLock { state in _ = state.cancelled.insert(number) }
  }
  // endregion

  // region deliver
  /// Gives a letter to a reader, or keeps it for the next.
  func deliver(_ letter: String) {
    let (cancelled, reader) = state.withLock { state in
      let cancelled = state.waiting.filter { state.cancelled.contains($0.number) }
      state.waiting.removeAll { state.cancelled.contains($0.number) }
      guard !state.waiting.isEmpty else {
        state.letters.append(letter)
        return (cancelled.map(\.reader), (any Reader)?.none)
      }
      return (cancelled.map(\.reader), state.waiting.removeFirst().reader)
    }
    for reader in cancelled { reader.resume(returning: nil) }
    reader?.resume(returning: letter)
  }
  // endregion
}
