extension Mailbox {
  // region server
  private let server: any MailServer
  private var current: Connection?
  // endregion

  // region connection
  // TODO: Open one connection, however many ask at once, and let `close` leave none behind.
  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
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
    await server.close(current)
  }
  // endregion
}
