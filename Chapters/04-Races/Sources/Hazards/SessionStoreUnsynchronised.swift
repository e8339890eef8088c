#if EXPLORED
  import ControlledDispatch
#else
  import Interleaving
#endif

// It is Sendable because `Shared` says so of itself, and that is false on purpose: this races. It runs in
// a child process, or under the explorer, only.
public final class SessionStoreUnsynchronised: SessionStore {
  private let open: @Sendable () -> Session
  private let opened = Shared<Session?>(nil, "opened")

  public init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }

  /// A `lazy var`, written as the check and the act that it is.
  public var session: Session {
    if let session = opened.value { return session }
    let session = open()
    opened.value = session
    return session
  }
}
