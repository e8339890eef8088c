// Looks right: a task searches only if its text is still the one in the field. Wrong: type s, w, and
// delete the w; the first task finds its s again, and does not wait for 300 ms after the last key.

extension SearchField {
  // region search
  private let search: (String) -> Void
  private var text = ""
  // endregion

  // region textChanged
  func textChanged(to text: String) {
    self.text = text
    Task {
      try await Task.sleep(for: .milliseconds(300))
      if text == self.text { search(text) }
    }
  }
  // endregion
}
