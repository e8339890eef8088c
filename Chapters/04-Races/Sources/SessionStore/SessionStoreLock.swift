import Foundation

// Sendable because `lazySession` is touched under `lock` only.
public final class SessionStoreLock: SessionStore, @unchecked Sendable {
  private let lock = NSLock()
  private lazy var lazySession = Session()

  public init() {}

  public var session: Session { lock.withLock { lazySession } }
}
