import Dispatch

// Sendable because `opened` is read and written on `queue` only.
public final class SessionStoreSerialQueue: SessionStore, @unchecked Sendable {
  private let queue = DispatchQueue(label: "session")
  private var opened: Session?

  public init() {}

  public var session: Session {
    queue.sync {
      if let opened { return opened }
      let session = Session()
      opened = session
      return session
    }
  }
}
