import Synchronization

extension Mutexed {
  final class SessionStore: Sendable {
    private let opened = Mutex<Session?>(nil)

    var session: Session {
      opened.withLock { opened in
        if let opened { return opened }
        let session = Session()
        opened = session
        return session
      }
    }
  }
}
