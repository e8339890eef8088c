import Synchronization

/// Whether the server can be reached, as the system tells the app.
final class Connection: Sendable {
  private let state: Mutex<Bool>

  init(isUp: Bool) { state = Mutex(isUp) }

  var isUp: Bool { state.withLock(\.self) }

  func come() { state.withLock { $0 = true } }
}
