// Looks right: a lazy variable is made once, and in an actor by one at a time. Wrong: once is once, and after
// a close all get the closed one.

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
  private lazy var opening = Task { await server.open() }

  init(server: any MailServer) {
    self.server = server
  }

  /// The open connection; a new one, if there is none.
  func connection() async -> Connection {
    await opening.value
  }

  /// Closes the connection, if there is one. Whoever asks later gets a new one.
  func close() async {
    await server.close(opening.value)
  }
}
