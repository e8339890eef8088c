// Looks right: the connection is closed, then forgotten. Wrong: in between it is still given out, and closed
// again.

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
  private let server: any MailServer
  private var opening: Task<Connection, Never>?

  init(server: any MailServer) {
    self.server = server
  }

  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    if let opening { return await opening.value }
    let opening = Task { await server.open() }
    self.opening = opening
    return await opening.value
  }

  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    guard let opening else { return }
    await server.close(opening.value)
    self.opening = nil
  }
}
