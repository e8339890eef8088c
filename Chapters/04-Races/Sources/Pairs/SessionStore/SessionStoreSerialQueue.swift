import Dispatch

extension Queued {
  // Sendable because `lazySession` is touched on `queue` only.
  final class SessionStore: @unchecked Sendable {
    private let queue = DispatchQueue(label: "session")
    private lazy var lazySession = Session()

    var session: Session { queue.sync { lazySession } }
  }
}
