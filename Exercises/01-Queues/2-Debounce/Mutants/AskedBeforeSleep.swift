// Looks right: a task that was cancelled does not search. Wrong: it asks before it sleeps, and is
// cancelled while it does.

/// A search field that searches when the typing has paused.
@MainActor
final class SearchField {
  private let search: (String) -> Void
  private var pending: Task<Void, Never>?

  init(search: @escaping (String) -> Void) {
    self.search = search
  }

  func textChanged(to text: String) {
    pending?.cancel()
    pending = Task {
      guard !Task.isCancelled else { return }
      try? await Task.sleep(for: .milliseconds(300))
      search(text)
    }
  }
}
