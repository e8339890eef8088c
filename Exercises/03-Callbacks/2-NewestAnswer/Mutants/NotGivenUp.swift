// Looks right: a number tells the newest request, and others show nothing. Wrong: they go on, for nobody.

extension Page {
  // region show
  /// Shows somebody, as soon as the directory answers. What was asked for before is given up.
  func show(_ id: Int) {
    isBusy = true
    let older = request
    request = Task {
      let text: String
      do {
        text = try await directory.name(of: id) ?? "nobody"
      } catch {
        text = "no connection"
      }
      await older?.value
      if Task.isCancelled { return }
      self.text = text
      isBusy = false
    }
  }
  // endregion
}
