// Looks right: a lazy variable is made once, and in an actor by one at a time. Wrong: once is once, and after
// a close all get the closed one.

extension Mailbox {
  // region server
  private let server: any MailServer
  private lazy var opening = Task { await server.open() }
  // endregion

  // region connection
  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    await opening.value
  }
  // endregion

  // region close
  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    await server.close(opening.value)
  }
  // endregion
}
