import Synchronization

extension Lockfree {
  final class SessionStore: Sendable {
    private let open: @Sendable () -> Session
    private let opened = AtomicLazyReference<Session>()

    init(open: @escaping @Sendable () -> Session) {
      self.open = open
    }

    /// Two callers may both open a session; one of the two is kept, and both are given that one.
    var session: Session { opened.load() ?? opened.storeIfNil(open()) }
  }
}
