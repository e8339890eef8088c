#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class SessionStoreMutex: SessionStore {
  private let open: @Sendable () -> Session
  private let opened = Mutex<Session?>(nil)

  public init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }

  public var session: Session {
    opened.withLock { opened in
      if let opened { return opened }
      let session = open()
      opened = session
      return session
    }
  }
}
