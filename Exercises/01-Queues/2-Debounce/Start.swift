/// A search field that searches when the typing has paused.
///
/// The check uses `SearchField.init` and `textChanged`, which stays a plain function.
@MainActor
final class SearchField {
  private let search: (String) -> Void

  /// - Parameter search: Starts a search; called on the main actor.
  init(search: @escaping (String) -> Void) {
    self.search = search
  }

  /// Call it at each key, with the text that is then in the field.
  func textChanged(to text: String) {
    // Was: pending?.cancel()
    //      let pending = DispatchWorkItem { self.search(text) }
    //      self.pending = pending
    //      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300), execute: pending)
    // TODO: Search 300 ms after the last key, and never for a text that is no longer in the field.
    Task {
      try await Task.sleep(for: .milliseconds(300))
      search(text)
    }
  }
}
