// Looks right: the earlier task is cancelled, and a sleep ends when its task is. Wrong: with try? the
// sleep ends early, and the search comes at once.

extension SearchField {
  // region search
  private let search: (String) -> Void
  private var pending: Task<Void, Never>?
  // endregion

  // region textChanged
  func textChanged(to text: String) {
    pending?.cancel()
    pending = Task {
      try? await Task.sleep(for: .milliseconds(300))
      search(text)
    }
  }
  // endregion
}
