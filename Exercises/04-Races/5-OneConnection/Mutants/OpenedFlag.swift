// Looks right: the flag is set before the await, so only one opens. Wrong: the others find the flag set and
// no connection yet, and help themselves.

extension Mailbox {
  // region server
  private let server: any MailServer
  private var current: Connection?
  private var isOpened = false
  // endregion

  // region connection
  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    if !isOpened {
      isOpened = true
      current = await server.open()
    }
    if let current { return current }
    let new = await server.open()
    current = new
    return new
  }
  // endregion

  // region close
  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    guard let current else { return }
    self.current = nil
    isOpened = false
    await server.close(current)
  }
  // endregion
}
