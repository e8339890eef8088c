extension Page {
  // region show
  /// Shows somebody, as soon as the directory answers. What was asked for before is given up.
  func show(_ id: Int) {
    // TODO: Show the answer to the newest question only, and be busy as long as that one is.
    isBusy = true
    request = Task {
      text = (try? await directory.name(of: id)) ?? "nobody"
      isBusy = false
    }
  }
  // endregion

  // region leave
  /// The user goes elsewhere: what was asked for is given up.
  func leave() {
    request?.cancel()
  }
  // endregion
}
