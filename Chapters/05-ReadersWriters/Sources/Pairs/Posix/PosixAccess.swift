import Foundation

/// Readers beside each other, or one writer: POSIX's lock. Whom it prefers is up to the system; Linux prefers readers unless
/// told otherwise.
// Sendable because the lock guards itself, and has one address from `init` to `deinit`: it must not move.
final class PosixAccess: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

  /// - Parameter prefersWriters: Whether a writer that waits keeps new readers out. Linux only; elsewhere it has no effect.
  init(prefersWriters: Bool = false) {
    var attributes = pthread_rwlockattr_t()
    pthread_rwlockattr_init(&attributes)
    defer { pthread_rwlockattr_destroy(&attributes) }
    #if canImport(Glibc)
      if prefersWriters {
        pthread_rwlockattr_setkind_np(
          &attributes, CInt(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
      }
    #endif
    let error = pthread_rwlock_init(lock, &attributes)
    precondition(error == 0, "no such lock: \(String(cString: strerror(error)))")
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func read(_ body: () -> Void) {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    body()
  }

  func write(_ body: () -> Void) {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    body()
  }
}
