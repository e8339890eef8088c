import Synchronization

public final class SessionStoreMutex: SessionStore {
  private let opened = Mutex<Session?>(nil)

  public init() {}

  public var session: Session {
    opened.withLock { opened in
      if let opened { return opened }
      let session = Session()
      opened = session
      return session
    }
  }
}
