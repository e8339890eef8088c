// Looks right: a request that is cancelled changes nothing. Wrong: then nobody says that the page is busy no more.

extension Page {
  // region leave
  /// The user goes elsewhere: what was asked for is given up.
  func leave() {
    request?.cancel()
  }
  // endregion
}
