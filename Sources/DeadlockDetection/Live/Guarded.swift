import Foundation

/// A value behind a lock.
///
/// NSLock, since ThreadSanitizer knows its mutex; of Synchronization's it misses the contended path (6.3.1).
final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is used under the lock alone. So no two accesses overlap, and nothing has to check that at run
  // time, as it is done for a stored property: that check costs more than the lock.
  private let lock = NSLock()
  private let value: UnsafeMutablePointer<Value>

  init(_ value: Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }

  @inline(__always) func callAsFunction<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value.pointee)
  }
}
