// Looks right: the connection is closed, then forgotten. Wrong: in between it is still given out, and closed
// again.

extension Mailbox {
  // region close
  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    guard let opening else { return }
    await server.close(opening.value)
    self.opening = nil
  }
  // endregion
}
