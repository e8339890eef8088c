import Foundation

/// A value behind a lock.
///
/// The system's mutex, since ThreadSanitizer knows it; of Synchronization's it misses the contended path (6.3.1). Who
/// takes it through NSLock pays a third more.
final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is used under the lock alone. So no two accesses overlap, and nothing has to check that at run
  // time, as is done for a stored property: that check costs more than the lock. Both pointers are this object's own.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let value: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    pthread_mutex_init(lock, nil)
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  @inline(__always) func callAsFunction<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
