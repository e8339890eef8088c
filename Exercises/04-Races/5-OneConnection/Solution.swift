/// A line to the mail server.
struct Connection: Hashable, Sendable {
  let number: Int
}

/// Opens and closes connections; both take a while. It stays as it is.
protocol MailServer: Sendable {
  func open() async -> Connection
  func close(_ connection: Connection) async
}

/// Opens a connection when it is first asked for, and gives the same one to all who ask.
///
/// The check uses `Connection`, `MailServer`, `init(server:)`, `connection()` and `close()`.
actor Mailbox {
  // region server
  private let server: any MailServer
  private var opening: Task<Connection, Never>?
  // endregion

  init(server: any MailServer) {
    self.server = server
  }

  // region connection
  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    if let opening { return await opening.value }
    let opening = Task { await server.open() }
    self.opening = opening
    return await opening.value
  }
  // endregion

  // region close
  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    guard let opening else { return }
    self.opening = nil
    await server.close(opening.value)
  }
  // endregion
}
