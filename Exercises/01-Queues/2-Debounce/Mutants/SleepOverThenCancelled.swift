// Looks right: a cancelled sleep throws, so a cancelled task does not search. Wrong: a sleep that is
// over throws no more, and a key can come before the task is back on the main actor.

/// A search field that searches when the typing has paused.
@MainActor
final class SearchField {
  private let search: (String) -> Void
  private var pending: Task<Void, any Error>?

  init(search: @escaping (String) -> Void) {
    self.search = search
  }

  func textChanged(to text: String) {
    pending?.cancel()
    pending = Task {
      try await Task.sleep(for: .milliseconds(300))
      search(text)
    }
  }
}
