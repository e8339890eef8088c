#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `opened` is read and written on `queue` only.
public final class SessionStoreSerialQueue: SessionStore, @unchecked Sendable {
  private let open: @Sendable () -> Session
  private let queue = DispatchQueue(label: "session")
  private var opened: Session?

  public init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }

  public var session: Session {
    queue.sync {
      if let opened { return opened }
      let session = open()
      opened = session
      return session
    }
  }
}
