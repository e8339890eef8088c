// Looks right: on every path the page is busy no more. Wrong: on the path of the older request, too, while the newer one
// goes on.

extension Page {
  // region show
  /// Shows somebody, as soon as the directory answers. What was asked for before is given up.
  func show(_ id: Int) {
    leave()
    isBusy = true
    request = Task {
      defer { isBusy = false }
      let text: String
      do {
        text = try await directory.name(of: id) ?? "nobody"
      } catch {
        text = "no connection"
      }
      if !Task.isCancelled { self.text = text }
    }
  }
  // endregion
}
