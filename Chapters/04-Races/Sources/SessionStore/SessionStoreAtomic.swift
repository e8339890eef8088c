import Synchronization

public final class SessionStoreAtomic: SessionStore {
  private let opened = AtomicLazyReference<Session>()

  public init() {}

  /// Two callers may both open a session; one of the two is kept, and both are given that one.
  public var session: Session { opened.load() ?? opened.storeIfNil(Session()) }
}
