import Dispatch

/// The session of the program.
///
/// Its known bug: whether there is a token and that there is one now are two visits to the queue, so that two callers
/// both sign in.
extension Wrong {
  final class SessionManager: @unchecked Sendable {
    // Sendable: what changes is used on `queue` only.
    static let shared = SessionManager()

    private let queue = DispatchQueue(label: "session")
    private var storedToken: Int?
    private var signIns = 0

    private init() {}

    var token: Int {
      if let token = queue.sync(execute: { storedToken }) { return token }
      return queue.sync {
        signIns += 1
        storedToken = 1_000 + signIns
        return 1_000 + signIns
      }
    }

    var signInCount: Int { queue.sync { signIns } }

    func reset() {
      queue.sync {
        storedToken = nil
        signIns = 0
      }
    }
  }
}

extension Right {
  final class SessionManager: @unchecked Sendable {
    // Sendable: what changes is used on `queue` only.
    static let shared = SessionManager()

    private let queue = DispatchQueue(label: "session")
    private var storedToken: Int?
    private var signIns = 0

    private init() {}

    var token: Int {
      queue.sync {
        if let storedToken { return storedToken }
        signIns += 1
        storedToken = 1_000 + signIns
        return 1_000 + signIns
      }
    }

    var signInCount: Int { queue.sync { signIns } }

    func reset() {
      queue.sync {
        storedToken = nil
        signIns = 0
      }
    }
  }
}
