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
  private var current: Connection?

  init(server: any MailServer) {
    self.server = server
  }

  // TODO: Open one connection, however many ask at once, and let `close` leave none behind.
  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    if let current { return current }
    let new = await server.open()
    current = new
    return new
  }

  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    guard let current else { return }
    self.current = nil
    await server.close(current)
  }
}
