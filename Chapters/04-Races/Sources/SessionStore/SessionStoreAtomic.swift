#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class SessionStoreAtomic: SessionStore {
  private let open: @Sendable () -> Session
  private let opened = AtomicLazyReference<Session>()

  public init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }

  /// Two callers may both open a session; one of the two is kept, and both are given that one.
  public var session: Session { opened.load() ?? opened.storeIfNil(open()) }
}
