import Foundation

extension LockedByHalves {
  // Sendable because `opened` is read and written under `lock` only. That guards each use, and not both.
  final class SessionStore: @unchecked Sendable {
    private let lock = NSLock()
    private var opened: Session?

    var session: Session {
      if let session = lock.withLock({ opened }) { return session }
      let session = Session()
      lock.withLock { opened = session }
      return session
    }
  }
}
