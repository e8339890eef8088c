// Looks right: the older request is cancelled, so it has no answer. Wrong: it ends with an error, which is shown.

extension Page {
  // region show
  /// Shows somebody, as soon as the directory answers. What was asked for before is given up.
  func show(_ id: Int) {
    leave()
    isBusy = true
    request = Task {
      do {
        text = try await directory.name(of: id) ?? "nobody"
      } catch {
        text = "no connection"
      }
      isBusy = false
    }
  }
  // endregion
}
