import Foundation

extension Locked {
  // Sendable because `lazySession` is touched under `lock` only.
  final class SessionStore: @unchecked Sendable {
    private let lock = NSLock()
    private lazy var lazySession = Session()

    var session: Session { lock.withLock { lazySession } }
  }
}
