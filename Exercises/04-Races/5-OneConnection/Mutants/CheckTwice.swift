// Looks right: it looks again before it keeps the new one, so all get the same. Wrong: two were opened, and
// nobody can close the second.

extension Mailbox {
  // region server
  private let server: any MailServer
  private var current: Connection?
  // endregion

  // region connection
  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    if let current { return current }
    let new = await server.open()
    if let current { return current }
    current = new
    return new
  }
  // endregion

  // region close
  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    guard let current else { return }
    self.current = nil
    await server.close(current)
  }
  // endregion
}
