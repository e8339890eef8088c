#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `lazySession` is touched under `lock` only.
public final class SessionStoreLock: SessionStore, @unchecked Sendable {
  private let open: @Sendable () -> Session
  private let lock = NSLock()
  private lazy var lazySession = open()

  public init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }

  public var session: Session { lock.withLock { lazySession } }
}
