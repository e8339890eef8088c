// Looks right: a cancelled sleep throws, so a cancelled task does not search. Wrong: a sleep that is
// over throws no more, and a key can come before the task is back on the main actor.

extension SearchField {
  // region textChanged
  func textChanged(to text: String) {
    pending?.cancel()
    pending = Task {
      try await Task.sleep(for: .milliseconds(300))
      search(text)
    }
  }
  // endregion
}
