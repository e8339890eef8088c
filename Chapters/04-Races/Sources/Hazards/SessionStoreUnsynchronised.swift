// The claim of Sendable is false on purpose: this runs in a child process only.
final class SessionStoreUnsynchronised: SessionStore, @unchecked Sendable {
  private let open: @Sendable () -> Session

  init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }

  lazy var session = open()
}
