// Looks right: a task that was cancelled does not search. Wrong: it asks before it sleeps, and is
// cancelled while it does.

extension SearchField {
  // region search
  private let search: (String) -> Void
  private var pending: Task<Void, Never>?
  // endregion

  // region textChanged
  func textChanged(to text: String) {
    pending?.cancel()
    pending = Task {
      guard !Task.isCancelled else { return }
      try? await Task.sleep(for: .milliseconds(300))
      search(text)
    }
  }
  // endregion
}
