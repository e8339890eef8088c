/// A search field that searches when the typing has paused.
///
/// The check uses `SearchField.init` and `textChanged`, which stays a plain function.
@MainActor
final class SearchField {
  // region search
  private let search: (String) -> Void
  private var pending: Task<Void, any Error>?
  // endregion

  /// - Parameter search: Starts a search; called on the main actor.
  init(search: @escaping (String) -> Void) {
    self.search = search
  }

  // region textChanged
  /// Call it at each key, with the text that is then in the field.
  func textChanged(to text: String) {
    pending?.cancel()
    pending = Task {
      try await Task.sleep(for: .milliseconds(300))
      try Task.checkCancellation()  // cancelled after it was due, and before it came to run
      search(text)
    }
  }
  // endregion
}
