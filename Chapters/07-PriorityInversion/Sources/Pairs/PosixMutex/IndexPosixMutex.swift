import Foundation

extension Posix {
  /// A search index behind a POSIX mutex, whose protocol says what raises its owner.
  final class Index: @unchecked Sendable {
    /// What raises the owner of the mutex.
    enum LockProtocol: Sendable {
      /// Nothing: `PTHREAD_PRIO_NONE`.
      case none
      /// Whoever waits for it: `PTHREAD_PRIO_INHERIT`.
      case inherit
      /// The mutex itself, from when it is taken: `PTHREAD_PRIO_PROTECT`.
      ///
      /// - Parameter ceiling: The priority of the most urgent thread that takes it.
      case protect(ceiling: Int32)
    }

    // `found` is used under the mutex only, which makes it safe to share.
    private var found: [String] = []
    // It has one address from `init` to `deinit`, since a mutex must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ lockProtocol: LockProtocol) {
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      defer { pthread_mutexattr_destroy(&attributes) }
      switch lockProtocol {
      case .none:
        pthread_mutexattr_setprotocol(&attributes, CInt(PTHREAD_PRIO_NONE))
      case .inherit:
        pthread_mutexattr_setprotocol(&attributes, CInt(PTHREAD_PRIO_INHERIT))
      case .protect(let ceiling):
        pthread_mutexattr_setprotocol(&attributes, CInt(PTHREAD_PRIO_PROTECT))
        pthread_mutexattr_setprioceiling(&attributes, ceiling)
      }
      let error = pthread_mutex_init(mutex, &attributes)
      precondition(error == 0, "no such mutex: \(String(cString: strerror(error)))")
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    func add(_ photo: String) {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      found.append(photo)
    }

    var photos: [String] {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return found
    }
  }
}
